/** Zeros after the text, for readers that look ahead. */
const AHEAD = 8;

/**
 * A text and its UTF-16 codes, with zeros after them. Reading an array takes a quarter of the time of `charCodeAt`: a
 * string may be a slice of another, which is resolved on every call.
 */
export interface Text {
  readonly string: string;
  readonly codes: Uint16Array;
}

/** Larger buffers are released after their text. UTF-16 units. */
const MAX_KEPT = 262_144;
/** Shorter texts are written faster code by code. UTF-16 units. */
const SHORT = 48;

/** Memory for the codes of one text at a time; between two texts it contains zeros. */
export class CodeBuffer {
  private codes: Uint16Array;
  private bytes: Buffer | undefined;

  constructor(length: number) {
    this.codes = new Uint16Array(length + AHEAD);
    this.bytes = bytesOf(this.codes);
  }

  /** Writes a text; the result is valid until `clear`. */
  write(string: string): Text {
    const { length } = string;
    if (length + AHEAD > this.codes.length) {
      this.codes = new Uint16Array(Math.max(length, Math.min(length * 2, MAX_KEPT)) + AHEAD);
      this.bytes = bytesOf(this.codes);
    }
    const { codes, bytes } = this;
    if (bytes === undefined || length < SHORT) writeCodes(string, codes);
    else bytes.write(string, 0, 'utf16le');
    return { string, codes };
  }

  /** Clears a text of `length`. Returns true if the buffer is worth keeping. */
  clear(length: number): boolean {
    if (this.codes.length > MAX_KEPT + AHEAD) return false;
    this.codes.fill(0, 0, length);
    return true;
  }
}

function writeCodes(text: string, codes: Uint16Array): void {
  for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i);
}

/** Node writes a whole text in one call; other runtimes do not. */
function bytesOf(codes: Uint16Array): Buffer | undefined {
  return typeof Buffer === 'undefined' ? undefined : Buffer.from(codes.buffer as ArrayBuffer);
}

/** The most arguments of one call. */
const CHUNK = 8_192;

/** Returns the string of the first `length` codes. */
export function stringOf(codes: Uint16Array, length: number): string {
  if (typeof Buffer !== 'undefined') {
    const { buffer, byteOffset } = codes;
    return Buffer.from(buffer as ArrayBuffer, byteOffset, length * 2).toString('utf16le');
  }
  let text = '';
  for (let from = 0; from < length; from += CHUNK)
    text += String.fromCharCode(...codes.subarray(from, Math.min(length, from + CHUNK)));
  return text;
}

const BEYOND_ASCII = /[^\x00-\x7f]/;
/** Text beyond ASCII usually begins early. UTF-16 units. */
const HEAD = 1_024;

/** True if every code is below 128. */
export function isAscii(text: string): boolean {
  if (BEYOND_ASCII.test(text.length > HEAD ? text.slice(0, HEAD) : text)) return false;
  if (text.length <= HEAD) return true;
  return typeof Buffer === 'undefined' ? !BEYOND_ASCII.test(text) : Buffer.byteLength(text) === text.length;
}
