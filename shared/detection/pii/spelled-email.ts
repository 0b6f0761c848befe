import { VALUE } from '../operating-points/values.ts';
import type { LiveReach } from '../reach.ts';
import { matchAt, matchesAt } from '../read/match-at.ts';
import type { PiiSpan } from './spans.ts';

const MAX_SPELLED_OUT = 40;
/** A spelled-out address is within this distance of its mark. UTF-16 units. */
const AROUND_MARK = 120;
/** The longest part of a name or host. */
const MAX_NAME = 40;
/** Any of its marks may be the first that a stream notices. */
export const SPELLED_REACH = {
  sign: 'an odd word',
  before: AROUND_MARK + MAX_NAME,
  after: 2 * (AROUND_MARK + MAX_NAME),
  ends: 'at a distance',
} as const satisfies LiveReach;

/** Words that are common in other sentences, too. */
export const COMMON_AT_WORDS = ['at', 'ät'];
export const RARE_AT_WORDS = ['arroba', 'arobase', 'chiocciola', 'собака'];
export const DOT_WORDS = ['dot', 'punkt', 'punto', 'ponto', 'point', 'точка'];
const AT_WORD = `(?:${[...COMMON_AT_WORDS, ...RARE_AT_WORDS].join('|')})`;
const DOT_WORD = `(?:${DOT_WORDS.join('|')})`;
const OPEN = '[[({<]\\s?';
const CLOSE = '\\s?[\\])}>]';
const AT = `(?:\\s?${OPEN}(?:${AT_WORD}|@)${CLOSE}\\s?|\\s(?:${AT_WORD}|@)\\s|[_-]at[_-]|\\s?@\\s?)`;
const DOT = `(?:\\s?${OPEN}(?:${DOT_WORD}|\\.)${CLOSE}\\s?|\\s(?:${DOT_WORD}|\\.)\\s|[_-]dot[_-]|\\.)`;
const TOP =
  '(?:com|org|net|edu|gov|mil|int|io|ai|app|dev|co|me|info|biz|xyz|online|shop|site|cloud|tech|name|pro|eu|uk|us|ca|de|at|ch|fr|es|pt|it|nl|be|lu|dk|se|no|fi|is|ie|pl|cz|sk|hu|ro|bg|gr|hr|si|rs|ua|ru|by|tr|il|ae|sa|in|pk|cn|jp|kr|tw|hk|sg|my|th|vn|id|ph|au|nz|za|ng|ke|eg|ma|br|mx|ar|cl|pe|example|test|invalid)';
/** Faster than Unicode properties: a name is searched at every position around a mark. */
const LETTER = 'a-z0-9\\u00c0-\\u1fff\\u3040-\\ud7ff';
/** A name or label: `_` and `-` only if they do not begin `_at_` or `-dot-`. */
const NAME = `[${LETTER}](?:[${LETTER}+]|[_-](?!(?:at|dot)[_-])){0,${MAX_NAME}}`;
const SPELLED = new RegExp(
  `(?<![${LETTER}])${NAME}(?:${DOT}${NAME}){0,3}?${AT}${NAME}(?:${DOT}${NAME}){0,3}${DOT}${TOP}(?![${LETTER}])`,
  'i',
);
/** At least one mark must be spelled out or bracketed; plain addresses are handled by `email.ts`. */
const MARK = new RegExp(
  `${OPEN}(?:${AT_WORD}|${DOT_WORD}|@|\\.)${CLOSE}|\\s${DOT_WORD}\\s|[_-](?:at|dot)[_-]|\\s@\\s|\\s(?:${RARE_AT_WORDS.join('|')})\\s`,
  'gi',
);
/** A hint at such a mark; marks in brackets and `@` between spaces are noticed by the pass over the text. */
export const SPELLED_HINT = / (?:dot|DOT|Dot|arroba|arobase) |[_-](?:at|dot)[_-]/;
const BRACKETED = new RegExp(`${OPEN}(?:${AT_WORD}|${DOT_WORD}|@|\\.)${CLOSE}`, 'iy');
const EVERYDAY =
  /^(?:look|looking|arrive|arrived|stay|meet|stop|point|start|aim|good|bad|best|here|there|not|all|are|is|was|be|me|us|you|it|them|him|her|only|even|or|and|but|that|this)\b|(?:@|\bat|_at_)[\s\])}>]{0,3}(?:the|a|an|my|our|your|this|that|all|least|most|first|last|once|any|some|his|her|their|its|no|one|each)\b/i;

/** True if a bracketed mark begins at `at`. */
export function isBracketedMark(text: string, at: number): boolean {
  return matchesAt(BRACKETED, text, at);
}

/** Finds `name [at] host [dot] com`, `name at host dot com`, `name arroba host punto es` and similar forms. */
export function spelledEmails(text: string): PiiSpan[] {
  const spans: PiiSpan[] = [];
  let from = 0;
  let next = 0;
  for (let tries = 0; tries < MAX_SPELLED_OUT; tries++) {
    const mark = matchAt(MARK, text, next);
    if (mark === null) break;
    next = mark.index + mark[0].length;
    const start = Math.max(from, mark.index - AROUND_MARK);
    const match = SPELLED.exec(text.slice(start, mark.index + AROUND_MARK));
    if (match === null || !isSpelled(match[0]) || EVERYDAY.test(match[0])) continue;
    const begin = start + match.index;
    const end = begin + match[0].length;
    spans.push({
      start: begin,
      end,
      type: 'email',
      rule: 'pii.email-obfuscated',
      confidence: VALUE.emailSpelled,
    });
    from = end;
    next = Math.max(next, end);
  }
  return spans;
}

/**
 * "meet me at example.com" is not an address: with the word "at" a dot must be spelled out, too, or a bracket be used.
 */
function isSpelled(match: string): boolean {
  return !/\sat\s/i.test(match) || new RegExp(`\\s${DOT_WORD}\\s|[[({<]`, 'iu').test(match);
}
