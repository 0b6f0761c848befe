/**
 * Texts that travel as base64 or as data: URLs (RFC 2397), bare or with their media type. `readEncoded` says what
 * is inside, `writeEncoded` puts changed text back in the same spelling.
 */
export interface DataParts {
  /** Lower-case media type without parameters; '' where none is said. */
  readonly mediaType: string;
  readonly charset: string;
  readonly isBase64: boolean;
  /** Everything up to the payload: '' for bare base64. */
  readonly head: string;
  /** Base64 in one line. */
  readonly payload: string;
}

export type Decoded =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' | 'not_base64' };

const BASE64 = /^[A-Za-z0-9+/=_-]*$/;
/** Multiple of 4, so that it decodes by itself. */
const SNIFFED_CHARACTERS = 64;
/** Readers look for a PDF's mark in the first 1,024 bytes. */
const MARK_CHARACTERS = 1_368;

export function splitData(data: string): DataParts {
  if (!/^data:/i.test(data)) {
    return { mediaType: '', charset: '', isBase64: true, head: '', payload: inOneLine(data) };
  }
  const comma = data.indexOf(',');
  const head = comma === -1 ? data : data.slice(0, comma + 1);
  const [mediaType = '', ...parameters] = head
    .slice(5, comma === -1 ? undefined : -1)
    .toLowerCase()
    .split(';');
  const isBase64 = parameters.some((parameter) => parameter.trim() === 'base64');
  const payload = data.slice(head.length);
  return {
    mediaType: mediaType.trim(),
    charset:
      parameters
        .find((parameter) => parameter.trim().startsWith('charset='))
        ?.trim()
        .slice(8) ?? '',
    isBase64,
    head,
    payload: isBase64 ? inOneLine(payload) : payload,
  };
}

/** Base64 often comes in lines. With blanks it could as well be words. */
const inOneLine = (text: string): string => (/[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, '') : text);

/** Looks at what is there rather than at what it is called: text under an image's name is still text. */
export function readEncoded(parts: DataParts, isDeclaredText: boolean): Decoded {
  if (!parts.isBase64) return { kind: 'text', text: percentDecoded(parts.payload) };
  if (!BASE64.test(parts.payload)) return { kind: 'not_base64' };
  const start = binaryOf(parts.payload.slice(0, SNIFFED_CHARACTERS));
  const isPlain = start !== null && !start.startsWith('%PDF') && looksLikeText(start);
  if (!isDeclaredText && !isPlain) return { kind: 'binary' };
  const binary = binaryOf(parts.payload);
  if (binary === null) return { kind: 'not_base64' };
  return { kind: 'text', text: decodeText(binary, parts.charset) };
}

/** True for what a reader of PDFs would take for one, whatever it is called and whatever stands before it. */
export function holdsPdf({ isBase64, payload }: DataParts): boolean {
  return isBase64 && (binaryOf(payload.slice(0, MARK_CHARACTERS))?.includes('%PDF-') ?? false);
}

/** `text` in place of the text that readEncoded found in `data`. */
export function writeEncoded(data: string, text: string): string {
  const parts = splitData(data);
  if (!parts.isBase64) return parts.head + encodeURIComponent(text);
  const encoding = encodingOf(binaryOf(parts.payload) ?? '', parts.charset);
  const encoded = btoa(encodeText(text, encoding));
  const isUrlSafe = /[-_]/.test(parts.payload);
  return parts.head + (isUrlSafe ? encoded.replaceAll('+', '-').replaceAll('/', '_') : encoded);
}

function percentDecoded(payload: string): string {
  try {
    return decodeURIComponent(payload);
  } catch {
    return payload;
  }
}

/** One character per byte; null where it is not base64 after all. */
function binaryOf(base64: string): string | null {
  try {
    return atob(/[-_]/.test(base64) ? base64.replaceAll('-', '+').replaceAll('_', '/') : base64);
  } catch {
    return null;
  }
}

/** Every binary format in use has control bytes near its start; UTF-16 text is known by its mark. */
function looksLikeText(binary: string): boolean {
  return isUtf16(binary) || !/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(binary);
}

const isUtf16 = (binary: string): boolean => binary.startsWith('\xff\xfe') || binary.startsWith('\xfe\xff');

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'bytes';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function encodingOf(binary: string, charset: string): Encoding {
  if (binary.startsWith('\xff\xfe') || /^"?utf-?16(le)?"?$/.test(charset)) return 'utf-16le';
  if (binary.startsWith('\xfe\xff') || /^"?utf-?16be"?$/.test(charset)) return 'utf-16be';
  try {
    strictUtf8.decode(bytesOf(binary));
    return 'utf-8';
  } catch {
    return 'bytes';
  }
}

/** Bytes that are no UTF-8 are read one character each, which keeps ASCII readable and can be written back. */
function decodeText(binary: string, charset: string): string {
  const encoding = encodingOf(binary, charset);
  if (encoding === 'utf-8') return strictUtf8.decode(bytesOf(binary));
  if (encoding === 'bytes') return binary;
  const [high, low] = encoding === 'utf-16be' ? [0, 1] : [1, 0];
  const out: string[] = [];
  for (let i = 0; i + 1 < binary.length; i += 2) {
    out.push(String.fromCharCode((binary.charCodeAt(i + high) << 8) | binary.charCodeAt(i + low)));
  }
  return out.join('');
}

function encodeText(text: string, encoding: Encoding): string {
  if (encoding === 'utf-8') return binaryFrom(new TextEncoder().encode(text));
  const out: string[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const [high, low] = [String.fromCharCode(unit >> 8), String.fromCharCode(unit & 255)];
    if (encoding === 'bytes') out.push(low);
    else out.push(encoding === 'utf-16be' ? high + low : low + high);
  }
  return out.join('');
}

function bytesOf(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function binaryFrom(bytes: Uint8Array): string {
  const out: string[] = [];
  for (let i = 0; i < bytes.length; i += 8_192)
    out.push(String.fromCharCode(...bytes.subarray(i, i + 8_192)));
  return out.join('');
}
