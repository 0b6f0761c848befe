import type { Steps } from '../../text/index.ts';
import {
  binaryFrom,
  type DecodedText,
  decodeBytes,
  encodeBytes,
  encodingOf,
  isTextual,
} from './byte-text.ts';
import { type FileBytes, type FileMark, fileMarksInSteps, isBinaryStart } from './file-marks.ts';

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

export type Decoded = ({ readonly kind: 'text' } & DecodedText) | { readonly kind: 'binary' | 'not_base64' };

const BASE64 = /^[A-Za-z0-9+/=_-]*$/;
/** Content up to this length is examined completely, longer content in windows. Multiples of 16 decode evenly. */
const MAX_WHOLE_CHARACTERS = 65_536;
const WINDOWS = 64;
const WINDOW_CHARACTERS = 1_024;

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
  if (!parts.isBase64) return { kind: 'text', text: percentDecoded(parts.payload), encoding: 'utf-8' };
  if (!BASE64.test(parts.payload)) return { kind: 'not_base64' };
  if (!isDeclaredText && !looksLikeText(parts.payload)) return { kind: 'binary' };
  const binary = binaryOf(parts.payload);
  if (binary === null) return { kind: 'not_base64' };
  const encoding = encodingOf(binary, parts.charset);
  return { kind: 'text', text: decodeBytes(binary, encoding), encoding };
}

/** Returns the marks of files that readers would detect, regardless of the declared type and of other bytes. */
export function* containedFiles(payload: string, decoded: Decoded): Steps<readonly FileMark[]> {
  let binary: string | undefined;
  const bytes: FileBytes = {
    start: (length) => firstBytes(payload, length),
    end: (length) => lastBytes(payload, length),
    includes: (ascii) => {
      binary ??= binaryOf(payload) ?? '';
      return binary.includes(ascii);
    },
    text: () => (decoded.kind === 'text' ? decoded : null),
  };
  return yield* fileMarksInSteps(bytes);
}

/** Returns the first bytes, one character each. */
export function startOf({ payload }: DataParts): string {
  return firstBytes(payload, 18);
}

const firstBytes = (payload: string, length: number): string =>
  (binaryOf(payload.slice(0, Math.ceil(length / 3) * 4)) ?? '').slice(0, length);

function lastBytes(payload: string, length: number): string {
  const from = Math.max(0, payload.length - (payload.length % 4) - Math.ceil(length / 3) * 4);
  return binaryOf(payload.slice(from)) ?? '';
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

/** Returns base64 of the bytes that percent-encoding stands for. */
export function percentEncodedBytes(payload: string): string {
  const binary = binaryFrom(new TextEncoder().encode(payload));
  return btoa(
    binary.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
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
  return sample !== null && !isBinaryStart(sample.slice(0, 16)) && isTextual(sample);
}

function sampleOf(payload: string): string | null {
  if (payload.length <= MAX_WHOLE_CHARACTERS) return binaryOf(payload);
  const pieces: string[] = [];
  for (let i = 0; i < WINDOWS; i++) {
    const at = Math.floor((i * (payload.length - WINDOW_CHARACTERS)) / (WINDOWS - 1) / 16) * 16;
    pieces.push(payload.slice(at, at + WINDOW_CHARACTERS));
  }
  return binaryOf(pieces.join(''));
}
