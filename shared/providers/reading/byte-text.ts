/**
 * Detects text and its encoding in bytes, which are strings of one character each, as from `atob`. The declared type is
 * ignored: bytes that are mostly printable are text.
 */
export type Encoding = 'utf-8' | WideEncoding | 'bytes';
type WideEncoding = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

export interface DecodedText {
  readonly text: string;
  readonly encoding: Encoding;
}

/** Minimum among the characters other than NUL. Compressed data has about 40%. */
const MIN_PRINTABLE_SHARE = 0.7;
/** Minimum for bytes that start like an image or a recording. */
const MIN_PRINTABLE_MEDIA_SHARE = 0.85;
/** Maximum of control bytes in text of legacy character sets, which UTF-8 cannot decode. Compressed: about 10%. */
const MAX_CONTROL_SHARE = 0.02;
/** Enough to detect an encoding. A multiple of four, for UTF-32. */
const SNIFFED_BYTES = 8_192;
const WINDOWS = 64;
const WINDOW_BYTES = 1_024;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossyUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const MEDIA_STARTS =
  /^(?:\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF[\s\S]{4}(?:WEBP|WAVE|AVI )|II\*\x00|MM\x00\*|BM[\s\S]{4}\x00\x00\x00\x00|[\s\S]{4}ftyp|ID3[\x02-\x04]|\xff[\xe2\xe3\xf1-\xf3\xf9-\xfb]|OggS\x00|fLaC\x00|\x1aE\xdf\xa3|\x00\x00\x01\x00|FORM[\s\S]{4}AIF|#!AMR\n)/;

/** True for images, audio and video, by their first bytes. */
export function isMediaStart(binary: string): boolean {
  return MEDIA_STARTS.test(binary.slice(0, 16));
}

/** `sample`: the bytes, or evenly spread pieces of them. */
export function isTextual(sample: string): boolean {
  if (readWide(sample) !== null) return true;
  const share = printableShare(lossyUtf8.decode(bytesOf(sample)));
  if (isMediaStart(sample)) return share >= MIN_PRINTABLE_MEDIA_SHARE;
  return share >= MIN_PRINTABLE_SHARE || controlShare(sample) <= MAX_CONTROL_SHARE;
}

/** Returns the text in the bytes; null if they are not text. */
export function textIn(binary: string): string | null {
  return decodedTextIn(binary)?.text ?? null;
}

/** Returns the text in the bytes and how it was decoded; null if they are not text. */
export function decodedTextIn(binary: string): DecodedText | null {
  if (!isTextual(sampleOf(binary))) return null;
  const encoding = encodingOf(binary, '');
  return { text: decodeBytes(binary, encoding), encoding };
}

/** Samples longer content in evenly spread pieces. */
function sampleOf(binary: string): string {
  if (binary.length <= WINDOWS * WINDOW_BYTES) return binary;
  const step = (binary.length - WINDOW_BYTES) / (WINDOWS - 1);
  const at = (i: number): number => Math.floor((i * step) / 4) * 4;
  return Array.from({ length: WINDOWS }, (_, i) => binary.slice(at(i), at(i) + WINDOW_BYTES)).join('');
}

export function encodingOf(binary: string, charset: string): Encoding {
  if (/^"?utf-?16(le)?"?$/.test(charset)) return binary.startsWith('\xfe\xff') ? 'utf-16be' : 'utf-16le';
  if (/^"?utf-?16be"?$/.test(charset)) return binary.startsWith('\xff\xfe') ? 'utf-16le' : 'utf-16be';
  return readWide(binary.slice(0, SNIFFED_BYTES)) ?? readUtf8(bytesOf(binary));
}

/** Decodes bytes; in an unknown encoding one character each, which keeps ASCII readable and can be encoded again. */
export function decodeBytes(binary: string, encoding: Encoding): string {
  if (encoding === 'utf-8') return lossyUtf8.decode(bytesOf(binary));
  return encoding === 'bytes' ? binary : decodeWide(binary, encoding);
}

export function encodeBytes(text: string, encoding: Encoding): string {
  if (encoding === 'utf-8') return binaryFrom(new TextEncoder().encode(text));
  if (encoding === 'bytes')
    return Array.from(text, (_, i) => String.fromCharCode(text.charCodeAt(i) & 255)).join('');
  const isShort = encoding.startsWith('utf-16');
  const units = isShort ? text.split('').map((unit) => unit.charCodeAt(0)) : codePointsOf(text);
  const places = isShort ? [0, 8] : [0, 8, 16, 24];
  if (encoding.endsWith('be')) places.reverse();
  return units.map((unit) => String.fromCharCode(...places.map((at) => (unit >>> at) & 255))).join('');
}

const codePointsOf = (text: string): number[] => Array.from(text, (sign) => sign.codePointAt(0)!);

/** Detects UTF-16 and UTF-32 by a byte order mark, by zeros next to Latin letters, or by spaces and commas. */
function readWide(binary: string): WideEncoding | null {
  if (binary.startsWith('\xff\xfe\x00\x00') || looksLikeUtf32(binary, 'utf-32le')) return 'utf-32le';
  if (binary.startsWith('\x00\x00\xfe\xff') || looksLikeUtf32(binary, 'utf-32be')) return 'utf-32be';
  if (binary.startsWith('\xff\xfe')) return 'utf-16le';
  if (binary.startsWith('\xfe\xff')) return 'utf-16be';
  const start = binary.slice(0, SNIFFED_BYTES);
  return (['utf-16le', 'utf-16be'] as const).find((encoding) => looksLikeUtf16(start, encoding)) ?? null;
}

/** The first byte of every character is zero, and of nearly all the second. */
function looksLikeUtf32(binary: string, encoding: 'utf-32le' | 'utf-32be'): boolean {
  if (binary.length < 8) return false;
  const start = binary.slice(0, SNIFFED_BYTES);
  if (!isZero(start, encoding === 'utf-32le' ? 3 : 0)) return false;
  const text = decodeWide(start, encoding);
  const strange = text.replace(/[\t\n\r]/g, '').match(STRANGE)?.length ?? 0;
  return !text.includes('\ufffd') && strange <= text.length * MAX_STRANGE_SHARE;
}

function isZero(binary: string, from: number): boolean {
  for (let i = from; i < binary.length; i += 4) if (binary.charCodeAt(i) !== 0) return false;
  return true;
}

function looksLikeUtf16(binary: string, encoding: 'utf-16le' | 'utf-16be'): boolean {
  const text = decodeWide(binary, encoding);
  if (text.length < 2) return false;
  const strange = text.replace(/[\t\n\r]/g, '').match(STRANGE)?.length ?? 0;
  if (strange > text.length * MAX_STRANGE_SHARE) return false;
  const latin = text.match(/[\t\n\r -~]/g)?.length ?? 0;
  if (latin >= text.length * MIN_LATIN_SHARE) return true;
  const pauses = text.match(PAUSES)?.length ?? 0;
  return (
    pauses >= text.length * MIN_PAUSE_SHARE &&
    printableShare(lossyUtf8.decode(bytesOf(binary))) < MAX_PRINTABLE_OTHERWISE
  );
}

/** Unpaired surrogates, private use and unassigned characters: one in six random code units. */
const STRANGE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/gu;
const MAX_STRANGE_SHARE = 0.1;
const MIN_LATIN_SHARE = 0.8;
/** In each of these one byte is a control byte, which is rare in texts of other encodings. */
const PAUSES = /[ \n\u3000-\u3002\uff01\uff08\uff09\uff0c]/g;
const MIN_PAUSE_SHARE = 0.02;
/** Bytes that are at least as printable in another encoding are not UTF-16. */
const MAX_PRINTABLE_OTHERWISE = 0.9;

function decodeWide(binary: string, encoding: WideEncoding): string {
  const isBig = encoding.endsWith('be');
  const size = encoding.startsWith('utf-16') ? 2 : 4;
  const out: string[] = [];
  for (let i = 0; i + size <= binary.length; i += size) {
    let unit = 0;
    for (let k = 0; k < size; k++) unit = unit * 256 + binary.charCodeAt(isBig ? i + k : i + size - 1 - k);
    out.push(
      size === 2 ? String.fromCharCode(unit) : unit > 0x10ffff ? '\ufffd' : String.fromCodePoint(unit),
    );
  }
  return out.join('');
}

/** Chooses UTF-8 also with a few invalid bytes, so that they do not make the letters of a whole language unreadable. */
function readUtf8(bytes: Uint8Array): 'utf-8' | 'bytes' {
  try {
    strictUtf8.decode(bytes);
    return 'utf-8';
  } catch {
    const text = lossyUtf8.decode(bytes);
    let broken = 0;
    let long = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit === 0xfffd) broken++;
      else if (unit > 0x7f) long++;
    }
    return long > broken ? 'utf-8' : 'bytes';
  }
}

/** Returns the share among all characters but NUL; 1 if there are no others. */
function printableShare(text: string): number {
  let printable = 0;
  let zeros = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0) zeros++;
    else if (!isControl(unit) && unit !== 0xfffd) printable++;
  }
  return text.length === zeros ? (zeros === 0 ? 1 : 0) : printable / (text.length - zeros);
}

function controlShare(binary: string): number {
  let controls = 0;
  for (let i = 0; i < binary.length; i++) {
    const unit = binary.charCodeAt(i);
    if (unit < 0x7f && isControl(unit)) controls++;
  }
  return controls / binary.length;
}

/** Whitespace and ESC do not count: terminals write them. */
const isControl = (unit: number): boolean =>
  unit < 9 || (unit > 13 && unit < 32 && unit !== 27) || (unit > 126 && unit < 160);

function bytesOf(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function binaryFrom(bytes: Uint8Array): string {
  const out: string[] = [];
  for (let i = 0; i < bytes.length; i += 8_192)
    out.push(String.fromCharCode(...bytes.subarray(i, i + 8_192)));
  return out.join('');
}
