import { decodeBytes, encodeBytes, encodingOf, isTextual } from './byte-text.ts';
import { type FileMark, fileMarkIn, TAIL_BYTES } from './file-marks.ts';

/**
 * Texts encoded as base64 or as data: URLs (RFC 2397), bare or with their media type. `readEncoded` decodes them,
 * `writeEncoded` encodes changed text in the same form.
 */
export interface DataParts {
  /** Lower-case media type without parameters; '' if there is none. */
  readonly mediaType: string;
  readonly charset: string;
  readonly isBase64: boolean;
  /** Prefix before the payload: '' for bare base64. */
  readonly head: string;
  /** Base64 without line breaks. */
  readonly payload: string;
}

export type Decoded =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' | 'not_base64' };

const BASE64 = /^[A-Za-z0-9+/=_-]*$/;
/** Content up to this length is examined completely, longer content in windows. Multiples of 8 decode evenly. */
const MAX_WHOLE_CHARACTERS = 65_536;
const WINDOWS = 64;
const WINDOW_CHARACTERS = 1_024;
/** PDF readers search the first 1,024 bytes for the signature. */
const HEAD_CHARACTERS = 1_368;
const TAIL_CHARACTERS = Math.ceil(TAIL_BYTES / 6) * 8;

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

/** Removes line breaks, which base64 often has. With spaces it could be prose. */
const inOneLine = (text: string): string => (/[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, '') : text);

/** Decodes by content rather than by the declared type: text declared as an image is still text. */
export function readEncoded(parts: DataParts, isDeclaredText: boolean): Decoded {
  if (!parts.isBase64) return { kind: 'text', text: percentDecoded(parts.payload) };
  if (!BASE64.test(parts.payload)) return { kind: 'not_base64' };
  if (!isDeclaredText && !looksLikeText(parts.payload)) return { kind: 'binary' };
  const binary = binaryOf(parts.payload);
  if (binary === null) return { kind: 'not_base64' };
  return { kind: 'text', text: decodeBytes(binary, encodingOf(binary, parts.charset)) };
}

/** Returns the kind of file that a reader would detect, regardless of the declared type and of leading bytes. */
export function containsFile({ isBase64, payload }: DataParts): FileMark | null {
  if (!isBase64) return null;
  const tailAt = Math.max(0, payload.length - (payload.length % 4) - TAIL_CHARACTERS);
  return fileMarkIn(binaryOf(payload.slice(0, HEAD_CHARACTERS)) ?? '', binaryOf(payload.slice(tailAt)) ?? '');
}

/** Returns the first bytes, one character each. */
export function startOf({ payload }: DataParts): string {
  return binaryOf(payload.slice(0, HEAD_CHARACTERS)) ?? '';
}

/** Returns the payload as lenient decoders read it, without invalid characters; null if there are too many. */
export function lenientPayload({ payload }: DataParts): string | null {
  const end = payload.search(/=/);
  const payloadText = (end === -1 ? payload : payload.slice(0, end)).replace(/[^A-Za-z0-9+/_-]+/g, '');
  return payloadText.length >= payload.length * MIN_BASE64_SHARE ? payloadText : null;
}

const MIN_BASE64_SHARE = 0.9;

/** Encodes `text` in place of the text that readEncoded found in `data`. */
export function writeEncoded(data: string, text: string): string {
  const parts = splitData(data);
  if (!parts.isBase64) return parts.head + encodeURIComponent(text);
  const encoding = encodingOf(binaryOf(parts.payload) ?? '', parts.charset);
  const encoded = btoa(encodeBytes(text, encoding));
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

/** Returns one character per byte; null if it is not valid base64. */
function binaryOf(base64: string): string | null {
  try {
    return atob(/[-_]/.test(base64) ? base64.replaceAll('-', '+').replaceAll('_', '/') : base64);
  } catch {
    return null;
  }
}

/** True for text without a file signature: a file with one resembles text only by chance. */
function looksLikeText(payload: string): boolean {
  const sample = sampleOf(payload);
  return sample !== null && fileMarkIn(sample.slice(0, 16), '') === null && isTextual(sample);
}

function sampleOf(payload: string): string | null {
  if (payload.length <= MAX_WHOLE_CHARACTERS) return binaryOf(payload);
  const pieces: string[] = [];
  for (let i = 0; i < WINDOWS; i++) {
    const at = Math.floor((i * (payload.length - WINDOW_CHARACTERS)) / (WINDOWS - 1) / 8) * 8;
    pieces.push(payload.slice(at, at + WINDOW_CHARACTERS));
  }
  return binaryOf(pieces.join(''));
}
