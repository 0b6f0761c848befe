import { jsonScalars } from '../text/index.ts';

/** Fewer digits are a count, a price or a year. */
const MIN_DIGITS = 7;
const LEAST_LONG = 10 ** (MIN_DIGITS - 1);

/** Parameters, counts and times at the top of vendors' bodies: a masked one would break the call, and no model reads it. */
export const NUMBER_PARAMETERS: ReadonlySet<string> = new Set([
  'seed',
  'n',
  'best_of',
  'dimensions',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'top_logprobs',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tool_calls',
  'input_tokens',
  'output_tokens',
  'created',
  'created_at',
  'completed_at',
  'expires_at',
  'index',
  'output_index',
  'content_index',
  'sequence_number',
]);

/**
 * What a number says, written out, if it has seven digits or more; otherwise null. `literalOf` knows how one is written
 * that a double cannot hold.
 */
export function longNumberText(
  value: number,
  literalOf: (value: number) => string | undefined,
): string | null {
  if (Number.isInteger(value) && Math.abs(value) < LEAST_LONG) return null;
  const isExact = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  const literal = (isExact ? undefined : literalOf(value)) ?? String(value);
  const text = literal.includes('e') ? plainDecimal(literal) : literal;
  return hasLongNumber(text) ? text : null;
}

/**
 * The literals of a JSON source that doubles cannot hold, by the double they become: the digits that the vendor reads.
 * Those that become the same one stand below one another. Linear.
 */
export function inexactLiterals(source: string): ReadonlyMap<number, string> {
  const literals = new Map<number, string>();
  for (const { start, end } of jsonScalars(source)) {
    if (end - start < 16 && !/[eE]/.test(source.slice(start, end))) continue;
    const literal = source.slice(start, end);
    if (literal.startsWith('"')) continue;
    const value = Number(literal);
    if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || Number.isNaN(value)) continue;
    const known = literals.get(value);
    const text = plainDecimal(literal);
    literals.set(value, known === undefined || known === text ? text : `${known}\n${text}`);
  }
  return literals;
}

/** More than any number that names somebody has. */
const MAX_SHIFT = 64;

/** `4.1e3` as `4100`; without the noughts behind the point. What is too long to be written out stays. */
export function plainDecimal(literal: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(literal);
  if (match === null) return literal;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > MAX_SHIFT) return literal;
  const digits = '0'.repeat(Math.max(0, -shift)) + whole + fraction + '0'.repeat(Math.max(0, shift));
  const point = whole.length + Math.max(0, -shift) + shift;
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const behind = digits.slice(point).replace(/0+$/, '');
  return `${sign}${before}${behind === '' ? '' : `.${behind}`}`;
}

export function hasLongNumber(text: string): boolean {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) digits++;
  }
  return digits >= MIN_DIGITS;
}
