import { closingQuote } from './json-literals.ts';

/**
 * Completes JSON that was cut off, as Anthropic's package does for the program that it calls: an unfinished token, or a
 * name without its value, is dropped, and what is open is closed. Null: the text is no beginning of JSON. Linear.
 */
export function closeCutJson(text: string): string | null {
  const open: string[] = [];
  /** The end of the last complete value or opened bracket. */
  let end = 0;
  let before = '';
  let next: number | null;
  for (let at = afterSpace(text, 0); at < text.length; at = afterSpace(text, next)) {
    const sign = text[at]!;
    next = endOfToken(text, at);
    if (next === -1) return null;
    if (next === null) break;
    if (!nest(open, sign)) return null;
    const isName = sign === '"' && open.at(-1) === '}' && before !== ':';
    const isCut = isNumber(sign) && !WHOLE_NUMBER.test(text.slice(at, next));
    if (!isName && !isCut && sign !== ':' && sign !== ',') end = next;
    before = sign;
  }
  return text.slice(0, end) + open.toReversed().join('');
}

function afterSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && ' \t\n\r'.includes(text[next]!)) next++;
  return next;
}

/** Returns false if a bracket closes another one than the last that is open. */
function nest(open: string[], sign: string): boolean {
  const closer = CLOSERS[sign];
  if (closer !== undefined) open.push(closer);
  return (sign !== '}' && sign !== ']') || open.pop() === sign;
}

const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const LITERALS = ['true', 'false', 'null'];
const NUMBER = /[-+.\deE]+/y;
const WHOLE_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const WORD = /[a-zA-Z]+/y;

const isNumber = (sign: string): boolean => /[-.\d]/.test(sign);

/** Returns where the token ends; null: it is cut off by the end of the text; -1: JSON has no such token. */
function endOfToken(text: string, at: number): number | null {
  const sign = text[at]!;
  if ('{}[]:,'.includes(sign)) return at + 1;
  if (sign === '"') {
    const close = closingQuote(text, at);
    return close === -1 ? null : close + 1;
  }
  const pattern = isNumber(sign) ? NUMBER : WORD;
  pattern.lastIndex = at;
  const [token] = pattern.exec(text) ?? [''];
  const end = at + token.length;
  // More digits may follow.
  if (pattern === NUMBER) return end === text.length ? null : end;
  if (LITERALS.includes(token)) return end;
  const isCut =
    token !== '' && text.slice(end).trim() === '' && LITERALS.some((one) => one.startsWith(token));
  return isCut ? null : -1;
}
