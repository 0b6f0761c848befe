import type { SlotRole, Steps } from '../../text/index.ts';
import {
  containedFiles,
  type DataParts,
  lenientPayload,
  percentEncodedBytes,
  readEncoded,
  splitData,
  startOf,
} from './base64-text.ts';
import { isMediaStart } from './byte-text.ts';
import type { TextCollector } from './text-collector.ts';

const MEDIA_TYPE = /^(?:image\/(?!svg)|audio\/|video\/|font\/)/;
/** Formats of `input_audio`: these may be bare samples, which have no signature. */
const MEDIA_FORMAT = /^(?:wav|mp3|flac|opus|aac|pcm16|g711_ulaw|g711_alaw)$/;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|yaml|csv|x-yaml|x-ndjson|markdown|rtf|sql|html)|image\/svg)/;
const TEXT_FILE =
  /\.(?:txt|text|md|markdown|csv|tsv|json|jsonl|ndjson|xml|html?|svg|ya?ml|toml|ini|log|eml|rtf|tex|sql|css|[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cpp|cs|php|sh|bat|ps1)$/i;

/** Real media are longer; a shorter string is also read as text. */
const MIN_MEDIA_CHARACTERS = 512;
/** Shorter words may be valid base64 of readable text by chance. */
const MIN_FILE_CHARACTERS = 20;
/** True without control characters, which appear when ordinary words are decoded as base64. */
const isWritten = (text: string): boolean => !/[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]/.test(text);

/** Kind of the surrounding block: image, audio and video, or a possible document. */
export type MediaKind = 'media' | 'text';

/**
 * Reads base64 or a data: URL: decoded text becomes a document; PDFs, Office files and archives become files to
 * extract; the rest is listed as unscanned. `hint` is a media type, a format such as `wav`, or a file name.
 */
export function* readData(
  collector: TextCollector,
  data: string,
  path: string,
  hint = '',
  kind: MediaKind = 'text',
): Steps<void> {
  const parts = splitData(data);
  const type = parts.mediaType || hint.toLowerCase();
  yield;
  const decoded = readEncoded(parts, TEXT_TYPE.test(type) || TEXT_FILE.test(hint));
  yield;
  const payload = parts.isBase64 ? parts.payload : percentEncodedBytes(parts.payload);
  const marks = yield* containedFiles(payload, decoded);
  if (marks.length > 0) collector.file(path, payload, marks);
  if (decoded.kind === 'text' && !isKnownCharset(parts.charset))
    collector.skip('undecodable', path, 'in a character set that is not read.', 'text');
  switch (decoded.kind) {
    case 'text':
      yield* collector.text(`${path}~data`, 'document', decoded.text);
      break;
    case 'binary':
      if (marks.length === 0) skipBinary(collector, parts, path, type, kind);
      break;
    case 'not_base64':
      collector.skip('undecodable', path, 'not base64; read as it stands.', kind);
      readLeniently(collector, parts, path);
  }
  // In a stream the pieces may form words here and a file elsewhere.
  const isRead =
    collector.isWrittenBack &&
    parts.isBase64 &&
    decoded.kind === 'text' &&
    data.length >= MIN_FILE_CHARACTERS &&
    isWritten(decoded.text);
  if (decoded.kind === 'not_base64' || (data.length < MIN_MEDIA_CHARACTERS && !isRead))
    yield* collector.text(path, 'other', data);
  else if (!isPlainHead(collector, parts)) yield* collector.text(path, 'other', parts.head);
}

/** Without a character set the content decides. */
function isKnownCharset(charset: string): boolean {
  try {
    return charset === '' || new TextDecoder(charset.replaceAll('"', '')).encoding !== '';
  } catch {
    return false;
  }
}

function skipBinary(
  collector: TextCollector,
  parts: DataParts,
  path: string,
  type: string,
  kind: MediaKind,
): void {
  const isMedia = kind === 'media' || MEDIA_TYPE.test(type) || MEDIA_FORMAT.test(type);
  if (isMedia || isMediaStart(startOf(parts))) {
    const expected = MEDIA_TYPE.test(type) ? type.slice(0, 40) : 'a picture or a recording';
    collector.skip('unsupported_type', path, `${expected}; not read.`, 'media');
  } else collector.skip('unsupported_type', path, 'a file that is not text; not read.', 'text');
}

/** It stays listed as unscanned, because the provider's decoder may differ. */
function readLeniently(collector: TextCollector, parts: DataParts, path: string): void {
  if (parts.payload.length < MIN_MEDIA_CHARACTERS) return;
  const payload = lenientPayload(parts);
  if (payload !== null) collector.file(path, payload, []);
}

/** True for a head with only a known media type, which has no room for text. Offsets are the whole string's. */
function isPlainHead(collector: TextCollector, parts: DataParts): boolean {
  return (
    collector.isKnownValue(parts.mediaType) && parts.head.length === `data:${parts.mediaType};base64,`.length
  );
}

/** Reads a reference to external data. */
export function* readUrl(
  collector: TextCollector,
  url: string,
  path: string,
  kind: MediaKind = 'text',
): Steps<void> {
  if (/^data:/i.test(url)) {
    yield* readData(collector, url, path, '', kind);
  } else {
    collector.skip('url_only', path, 'given by its address; what is there was not read.', kind);
    yield* collector.text(path, 'other', url);
  }
}

export function* readFileId(
  collector: TextCollector,
  id: string,
  path: string,
  kind: MediaKind = 'text',
): Steps<void> {
  collector.skip('stored_with_provider', path, 'a file stored with the provider; not read.', kind);
  yield* collector.text(path, 'identifier', id);
}

const MIN_SEALED_CHARACTERS = 128;

/** Reads signatures and encrypted content: opaque if it looks encrypted, otherwise text, including base64 of a text. */
export function* readEncrypted(
  collector: TextCollector,
  encrypted: string,
  path: string,
  role: SlotRole,
): Steps<void> {
  if (isOpaque(encrypted)) collector.skip('encrypted', path, 'sealed by the provider; not read.', 'none');
  else yield* collector.sealed(path, role, encrypted);
}

export function isOpaque(encrypted: string): boolean {
  return (
    encrypted.length >= MIN_SEALED_CHARACTERS &&
    /^[A-Za-z0-9+/=_-]*$/.test(encrypted) &&
    readEncoded(splitData(encrypted), false).kind !== 'text'
  );
}
