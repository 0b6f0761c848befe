import type { SlotPart, SlotRole } from '../../text/index.ts';
import { longNumberText } from './numbers.ts';
import { step } from './path.ts';
import { isMembers, type Reading, readLeaves } from './reading.ts';
import type { Words } from './rules.ts';

/** What log probabilities say: the answer once more, token by token, and the tokens it might have been. */
export interface Tokens {
  said: string;
  readonly others: Set<string>;
}

/** One slot for the tokens in a row and one for all the others, instead of one for each of thousands. */
export function readTokens(reading: Reading, logprobs: unknown, path: string, role: SlotRole): void {
  if (reading.isWrittenBack) {
    readTokensWithPlaces(reading, logprobs, path, role);
    return;
  }
  const tokens: Tokens = { said: '', others: new Set() };
  collectTokens(tokens, reading.rules.words, logprobs);
  if (tokens.said !== '') reading.joined(path, role, tokens.said, []);
  if (tokens.others.size > 0) reading.joined(`${path}~others`, 'other', [...tokens.others].join('\n'), []);
}

/** The same for a body that may be redacted: each token with its place, so that a mask can be written over it. */
function readTokensWithPlaces(reading: Reading, logprobs: unknown, path: string, role: SlotRole): void {
  readLeaves(reading, logprobs, path, 'other');
  const parts: SlotPart[] = [];
  let said = '';
  const walk = (value: unknown, at: string): void => {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) walk(value[i], `${at}/${i}`);
    } else if (isMembers(value)) {
      for (const name in value) {
        const member = value[name];
        const inner = step(at, name);
        if (name === 'token' && typeof member === 'string') {
          parts.push({ path: inner, from: 0, start: said.length, end: said.length + member.length });
          said += member;
        } else if (name !== 'top_logprobs') walk(member, inner);
      }
    }
  };
  walk(logprobs, path);
  if (parts.length > 1) reading.joined(path, role, said, parts);
}

/** Numbers that vendors document here: one for each token, and one for each of its bytes. */
const FIGURES: ReadonlySet<string> = new Set(['logprob', 'bytes']);

export function collectTokens(
  tokens: Tokens,
  words: Words,
  value: unknown,
  isAlternative = false,
  depth = 0,
  isFigure = false,
): void {
  if (depth > 100) return;
  if (typeof value === 'string') {
    tokens.others.add(value);
  } else if (typeof value === 'number') {
    const text = isFigure ? null : longNumberText(value, () => undefined);
    if (text !== null) tokens.others.add(text);
  } else if (Array.isArray(value)) {
    for (const item of value) collectTokens(tokens, words, item, isAlternative, depth + 1, isFigure);
  } else if (isMembers(value)) {
    for (const name in value) {
      const member = value[name];
      if (!words.names.has(name)) tokens.others.add(name);
      if (name === 'token' && typeof member === 'string' && !isAlternative) tokens.said += member;
      else {
        const isOther = isAlternative || name === 'top_logprobs';
        collectTokens(tokens, words, member, isOther, depth + 1, FIGURES.has(name));
      }
    }
  }
}
