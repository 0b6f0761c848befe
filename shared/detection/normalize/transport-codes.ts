import { TEXT } from '../operating-points/texts.ts';
import { byteAt } from './escapes.ts';

/** Removes the zero bytes of UTF-16 with Latin letters, which PowerShell uses for encoded commands. */
function withoutZeros(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 8) return bytes;
  const mark = bytes[0]! * 256 + bytes[1]!;
  const first = mark === 0xfffe ? 2 : mark === 0xfeff ? 3 : bytes[0] === 0 ? 1 : 0;
  for (let i = first ^ 1; i < 8; i += 2) if (bytes[i] !== 0) return bytes;
  return bytes.filter((_, i) => i >= first && (i & 1) === (first & 1));
}

/** Shorter runs contain no sentence. */
export const MIN_BASE64 = 16;

/** Returns the run of hex or base64 characters around `at`. */
export function codeRun(text: string, at: number, from: number, to: number): [number, number] {
  let start = at;
  let end = at;
  while (start > from && isCode(text.charCodeAt(start - 1))) start--;
  while (end < to && isCode(text.charCodeAt(end))) end++;
  return [start, end];
}

/** Returns the end of the lines that continue a run: all of its length, only the last may be shorter. */
export function codeLines(text: string, start: number, lineEnd: number, to: number): number {
  const length = lineEnd - start;
  let end = lineEnd;
  for (;;) {
    let at = end;
    if (text.charCodeAt(at) === 13) at++;
    if (at >= to || text.charCodeAt(at) !== 10) return end;
    const next = ++at;
    while (at < to && isCode(text.charCodeAt(at))) at++;
    if (at === next || at - next > length) return end;
    end = at;
    if (at - next < length) return end;
  }
}

function isCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 61 ||
    code === 45 ||
    code === 95
  );
}

/** Decodes text in pairs of hex digits. */
export function fromHex(run: string): string | undefined {
  const bytes = hexBytes(run);
  return bytes === undefined ? undefined : readable(bytes);
}

/** Decodes text in base64 of either alphabet. */
export function fromBase64(run: string): string | undefined {
  const binary = base64Binary(run, MIN_BASE64);
  return binary === undefined ? undefined : readable(bytesOf(binary));
}

/** Fewer words occur by chance, or are a name. */
const SENTENCE = 3;

/** True if `value` is base64 or hex of several words, which a person wrote, not a key, a number or an address. */
export function hiddenSentence(value: string): boolean {
  if (value.length < 24 || !/^[\w+/=-]+$/.test(value)) return false;
  for (const text of [hexText(value), base64Text(value)]) {
    if (text === undefined) continue;
    if ((text.match(/\p{L}{2,}/gu)?.length ?? 0) > SENTENCE && (text.match(/\s/g)?.length ?? 0) >= SENTENCE)
      return true;
  }
  return false;
}

/** Decodes hex, as long as the result is text. */
export function hexText(run: string): string | undefined {
  const bytes = hexBytes(run);
  return bytes === undefined ? undefined : printable(bytes);
}

/** ASCII without control characters, which is the same in every supported encoding. */
const PLAIN = /^[\t-\r\x20-\x7e]*$/;

/** Decodes base64 of at least `least` characters, as long as the result is text. */
export function base64Text(run: string, least = MIN_BASE64): string | undefined {
  const binary = base64Binary(run, least);
  if (binary === undefined || PLAIN.test(binary)) return binary;
  return printable(bytesOf(binary));
}

function printable(bytes: Uint8Array): string | undefined {
  if (isBinary(bytes)) return undefined;
  const text = utf8.decode(bytes);
  return /[\ufffd\x00-\x08\x0e-\x1f]/.test(text) ? undefined : text;
}

/**
 * True for bytes that contain a control character, or begin with one that begins no character of UTF-8: nearly all ids
 * and fingerprints, which need not be decoded.
 */
function isBinary(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  if ((first >= 0x80 && first < 0xc2) || first > 0xf4) return true;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte < 32 && (byte < 9 || byte > 13)) return true;
  }
  return false;
}

function hexBytes(run: string): Uint8Array | undefined {
  if (
    run.length % 2 !== 0 ||
    !/^[0-9a-f]+$/i.test(run) ||
    /^\d+$/.test(run.slice(0, 40)) === /[a-f]/i.test(run)
  )
    return undefined;
  const bytes = new Uint8Array(run.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = byteAt(run, i * 2);
  return withoutZeros(bytes);
}

/** Its padding may be in quoted-printable. */
const BASE64 = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/_-]+(?:=(?:3D)?){0,2}$/;

/** Returns the bytes of base64 as a binary string. */
function base64Binary(run: string, least: number): string | undefined {
  // Words and paths are mostly of one case; base64 of text mixes cases.
  if (!BASE64.test(run) || (run.length < least + 2 && run.replace(/=+$/, '').length < least))
    return undefined;
  const padding = run.indexOf('=');
  const body = padding < 0 ? run : run.slice(0, padding);
  const plain = /[-_]/.test(body) ? body.replaceAll('-', '+').replaceAll('_', '/') : body;
  return atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
}

function bytesOf(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return withoutZeros(bytes);
}

const utf8 = new TextDecoder();

/** Decodes bytes to text if nearly all of it is letters and spaces. */
function readable(bytes: Uint8Array): string | undefined {
  if (bytes.length < 8 || isBinary(bytes)) return undefined;
  const text = utf8.decode(bytes);
  let good = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd || (code < 32 && code !== 10 && code !== 13 && code !== 9)) return undefined;
    if ((code | 32) >= 97 && (code | 32) <= 122) good++;
    else if (code === 32 || code > 0xbf) good++;
  }
  return good >= text.length * TEXT.readableCode ? text : undefined;
}
