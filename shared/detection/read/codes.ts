/** Longer texts get an array of their own, so that one of them does not hold on to memory for ever. UTF-16 units. */
const KEPT = 262_144;
/** Zeros behind the text, for those who look ahead. */
const AHEAD = 8;

const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Shorter texts are written sooner code by code. UTF-16 units. */
const SHORT = 48;

let kept = arrayFor(16_384);
/** The text whose codes are in `kept`. Each text is asked for several times in a row. */
let said: string | undefined;

interface Codes {
  readonly codes: Uint16Array;
  readonly bytes: ReturnType<typeof bytesOf>;
}

/**
 * A text's UTF-16 codes, and zeros behind them; only true until the next call. Reading an array costs a quarter of
 * asking a string for each code: a string may be a piece of another, and that is looked up every time.
 */
export function codesOf(text: string): Uint16Array {
  if (text === said) return kept.codes;
  const { length } = text;
  let target = kept;
  if (length + AHEAD > kept.codes.length) {
    target = arrayFor(length);
    if (length <= KEPT) kept = target;
  }
  const { codes, bytes } = target;
  if (bytes === undefined || length < SHORT) for (let i = 0; i < length; i++) codes[i] = text.charCodeAt(i);
  else bytes.write(text, 0, 'utf16le');
  codes.fill(0, length, length + AHEAD);
  if (target === kept) said = text;
  return codes;
}

/** The same for those who write over them. */
export function ownCodesOf(text: string): Uint16Array {
  const codes = codesOf(text);
  said = undefined;
  return codes;
}

function arrayFor(length: number): Codes {
  const codes = new Uint16Array(length + AHEAD);
  return { codes, bytes: bytesOf(codes) };
}

/** Node writes a whole text at once; elsewhere there is no such thing. */
function bytesOf(codes: Uint16Array): Buffer | undefined {
  return typeof Buffer === 'undefined' ? undefined : Buffer.from(codes.buffer as ArrayBuffer);
}

/** So many arguments a call takes at once. */
const CHUNK = 8_192;

/** The string of the first `length` codes. */
export function stringOf(codes: Uint16Array, length: number): string {
  const bytes = bytesOf(codes);
  if (bytes !== undefined) return bytes.toString('utf16le', codes.byteOffset, codes.byteOffset + length * 2);
  let text = '';
  for (let from = 0; from < length; from += CHUNK)
    text += String.fromCharCode(...codes.subarray(from, Math.min(length, from + CHUNK)));
  return text;
}

/** What is no ASCII mostly shows soon. UTF-16 units. */
const HEAD = 1_024;

/** True where every code is below 128. */
export function isAscii(text: string): boolean {
  if (BEYOND_ASCII.test(text.length > HEAD ? text.slice(0, HEAD) : text)) return false;
  if (text.length <= HEAD) return true;
  return typeof Buffer === 'undefined' ? !BEYOND_ASCII.test(text) : Buffer.byteLength(text) === text.length;
}
