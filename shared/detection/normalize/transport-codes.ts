import { byteAt } from './escapes.ts';

/** UTF-16 with Latin letters in it has a nought beside each: PowerShell's commands come like that. */
function withoutNoughts(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 8) return bytes;
  const first = bytes[0] === 0xff && bytes[1] === 0xfe ? 2 : bytes[0] === 0 ? 1 : 0;
  if (bytes[first ^ 1] !== 0 && first !== 2) return bytes;
  for (let i = first + 1; i < 8; i += 2) if (bytes[first === 1 ? i - 1 : i] !== 0) return bytes;
  return bytes.filter((_, i) => i >= first && (i & 1) === (first & 1));
}

/** Shorter runs hold no sentence. */
export const MIN_BASE64 = 16;

/** The run of hex or base64 characters around `at`. */
export function codeRun(text: string, at: number, from: number, to: number): [number, number] {
  let start = at;
  let end = at;
  while (start > from && isCode(text.charCodeAt(start - 1))) start--;
  while (end < to && isCode(text.charCodeAt(end))) end++;
  return [start, end];
}

/** Where the lines end that go on from a run of one: all as long as it, the last one at most. */
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

/** Text in pairs of hex digits. */
export function fromHex(run: string): string | undefined {
  const bytes = hexBytes(run);
  return bytes === undefined ? undefined : readable(bytes);
}

/** Text in base64 of either alphabet. */
export function fromBase64(run: string): string | undefined {
  const binary = base64Binary(run, MIN_BASE64);
  return binary === undefined ? undefined : readable(bytesOf(binary));
}

/** Fewer words could be an accident, or the name of something. */
const SENTENCE = 3;

/** True where `value` is base64 or hex of several words: of what a person wrote, not of a key, a number or an address. */
export function hiddenSentence(value: string): boolean {
  if (value.length < 24 || !/^[\w+/=-]+$/.test(value)) return false;
  for (const text of [hexText(value), base64Text(value)]) {
    if (text === undefined) continue;
    if ((text.match(/\p{L}{2,}/gu)?.length ?? 0) > SENTENCE && (text.match(/\s/g)?.length ?? 0) >= SENTENCE)
      return true;
  }
  return false;
}

/** What hex says, whatever it is, as long as it is text. */
export function hexText(run: string): string | undefined {
  const bytes = hexBytes(run);
  return bytes === undefined ? undefined : printable(bytes);
}

/** Without control characters, ASCII is the same in every encoding that is read. */
const PLAIN = /^[\t-\r\x20-\x7e]*$/;

/** What base64 of at least `least` characters says, whatever it is, as long as it is text. */
export function base64Text(run: string, least = MIN_BASE64): string | undefined {
  const binary = base64Binary(run, least);
  if (binary === undefined || PLAIN.test(binary)) return binary;
  return printable(bytesOf(binary));
}

function printable(bytes: Uint8Array): string | undefined {
  const text = utf8.decode(bytes);
  return /[\ufffd\x00-\x08\x0e-\x1f]/.test(text) ? undefined : text;
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
  return withoutNoughts(bytes);
}

const BASE64 = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/_-]+={0,2}$/;

/** The bytes of base64, each as the character of its value. */
function base64Binary(run: string, least: number): string | undefined {
  // words and paths are letters of one case mostly; base64 of text mixes cases
  if (!BASE64.test(run) || (run.length < least + 2 && run.replace(/=+$/, '').length < least))
    return undefined;
  const plain = run.replace(/[-_=]/g, (sign) => (sign === '-' ? '+' : sign === '_' ? '/' : ''));
  return atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
}

function bytesOf(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return withoutNoughts(bytes);
}

const utf8 = new TextDecoder();

/** Bytes as text when nearly all of it is letters and blanks. */
function readable(bytes: Uint8Array): string | undefined {
  if (bytes.length < 8) return undefined;
  const text = utf8.decode(bytes);
  let good = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd || (code < 32 && code !== 10 && code !== 13 && code !== 9)) return undefined;
    if ((code | 32) >= 97 && (code | 32) <= 122) good++;
    else if (code === 32 || code > 0xbf) good++;
  }
  return good >= text.length * 0.75 ? text : undefined;
}
