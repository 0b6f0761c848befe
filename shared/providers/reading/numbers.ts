import { visit } from 'jsonc-parser';
import { childPointer } from './path.ts';

/** Shorter numbers are counts, prices or years. */
const MIN_DIGITS = 7;
const MIN_LONG = 10 ** (MIN_DIGITS - 1);

/** Any 64-bit number: one in forty of those with 16 digits would count as the number of a card. */
const RANDOM: ReadonlySet<string> = new Set(['seed']);
/** In seconds or milliseconds. */
const TIMES: ReadonlySet<string> = new Set(['created', 'created_at', 'completed_at', 'expires_at']);
const MAX_TIME = 1e13;
/** Parameters and counts. */
const COUNTS: ReadonlySet<string> = new Set([
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
  'index',
  'output_index',
  'content_index',
  'sequence_number',
]);
const MAX_COUNT = 1e8;

/**
 * True for a number at the top of a provider's body that no model reads, and that no client could do without. Larger
 * ones than the parameter can have are text.
 */
export function isParameter(name: string, value: number): boolean {
  if (COUNTS.has(name)) return Math.abs(value) < MAX_COUNT;
  return RANDOM.has(name) || (TIMES.has(name) && Math.abs(value) < MAX_TIME);
}

/** Returns a number of seven or more digits as text; otherwise null. `literal` is called if a double is not exact. */
export function longNumberText(value: number, literal: () => string | undefined): string | null {
  if (isShortNumber(value)) return null;
  const written = (isInexact(value) ? literal() : undefined) ?? String(value);
  const text = written.includes('e') ? plainDecimal(written) : written;
  return hasLongNumber(text) ? text : null;
}

/** True for most numbers of a body: they cost only this comparison. */
export const isShortNumber = (value: number): boolean =>
  Number.isInteger(value) && Math.abs(value) < MIN_LONG;

/** True if a double may have other digits than the source. */
const isInexact = (value: number): boolean => Math.abs(value) > Number.MAX_SAFE_INTEGER;

/** Returns the numbers of a JSON source that a double cannot hold, with the digits that the provider reads. */
export function inexactNumbers(source: string): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  visit(source, {
    onLiteralValue(value, offset, length, _line, _column, path) {
      if (typeof value !== 'number' || !isInexact(value)) return;
      let pointer = '';
      for (const part of path())
        pointer = typeof part === 'number' ? `${pointer}/${part}` : childPointer(pointer, part);
      numbers.set(pointer, plainDecimal(source.slice(offset, offset + length)));
    },
  });
  return numbers;
}

/** More digits than in any number that identifies a person. */
const MAX_SHIFT = 64;

/** Returns `4.1e3` as `4100`, without trailing zeros after the decimal point. Too long numbers stay unchanged. */
export function plainDecimal(literal: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(literal);
  if (match === null) return literal;
  const [, sign = '', units = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > MAX_SHIFT) return literal;
  const digits = '0'.repeat(Math.max(0, -shift)) + units + fraction + '0'.repeat(Math.max(0, shift));
  const point = units.length + Math.max(0, -shift) + shift;
  let from = 0;
  while (from < point - 1 && digits[from] === '0') from++;
  let until = digits.length;
  while (until > point && digits[until - 1] === '0') until--;
  const whole = digits.slice(from, point);
  return until === point ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(point, until)}`;
}

export function hasLongNumber(text: string): boolean {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) digits++;
  }
  return digits >= MIN_DIGITS;
}
