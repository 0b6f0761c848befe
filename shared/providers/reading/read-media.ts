import type { SlotRole } from '../../text/index.ts';
import { type DataParts, holdsFile, lenientPayload, readEncoded, splitData, startOf } from './base64-text.ts';
import { isMediaStart } from './byte-text.ts';
import type { TextCollector } from './text-collector.ts';

const MEDIA_TYPE = /^(?:image\/(?!svg)|audio\/|video\/|font\/)/;
/** As `input_audio` says them: these may be bare samples, which begin with nothing in particular. */
const MEDIA_FORMAT = /^(?:wav|mp3|flac|opus|aac|pcm16|g711_ulaw|g711_alaw)$/;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|yaml|csv|x-yaml|x-ndjson|markdown|rtf|sql|html)|image\/svg)/;
const TEXT_FILE =
  /\.(?:txt|text|md|markdown|csv|tsv|json|jsonl|ndjson|xml|html?|svg|ya?ml|toml|ini|log|eml|rtf|tex|sql|css|[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cpp|cs|php|sh|bat|ps1)$/i;

/** Real media are longer; a shorter string is read as it stands besides. */
const MIN_MEDIA_CHARACTERS = 512;
/** Shorter words are base64 of something readable by chance. */
const MIN_FILE_CHARACTERS = 20;
/** Characters that no person writes: words that are mistaken for base64 decode to such. */
const isWritten = (text: string): boolean => !/[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]/.test(text);

/** Of the block around: pictures, sound and video, or anything that may be a document. */
export type MediaKind = 'media' | 'text';

/**
 * Reads base64 or a data: URL: text inside becomes a document; PDFs, Office files and archives become files to be read;
 * the rest is listed as unscanned. `hint` is a media type, a format such as `wav`, or a file's name.
 */
export function readData(
  collector: TextCollector,
  data: string,
  path: string,
  hint = '',
  kind: MediaKind = 'text',
): void {
  const parts = splitData(data);
  const type = parts.mediaType || hint.toLowerCase();
  const decoded = readEncoded(parts, TEXT_TYPE.test(type) || TEXT_FILE.test(hint));
  const mark = holdsFile(parts);
  if (mark !== null) collector.file(path, parts.payload, mark);
  switch (decoded.kind) {
    case 'text':
      collector.text(`${path}~data`, 'document', decoded.text);
      break;
    case 'binary':
      if (mark === null) skipBinary(collector, parts, path, type, kind);
      break;
    case 'not_base64':
      collector.skip('undecodable', path, 'not base64; read as it stands.', kind);
      readLeniently(collector, parts, path);
  }
  // What a stream brings in pieces may be words here and a file there.
  const isRead =
    collector.isWrittenBack &&
    parts.isBase64 &&
    decoded.kind === 'text' &&
    data.length >= MIN_FILE_CHARACTERS &&
    isWritten(decoded.text);
  if (decoded.kind === 'not_base64' || (data.length < MIN_MEDIA_CHARACTERS && !isRead))
    collector.text(path, 'other', data);
  else if (!isPlainHead(collector, parts)) collector.text(path, 'other', parts.head);
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

/** It stays listed: who reads it, and how, is for the provider to say. */
function readLeniently(collector: TextCollector, parts: DataParts, path: string): void {
  if (parts.payload.length < MIN_MEDIA_CHARACTERS) return;
  const payload = lenientPayload(parts);
  if (payload !== null) collector.file(path, payload, null);
}

/** A head that says a known media type and nothing else has no room for text. Its offsets are the whole string's. */
function isPlainHead(collector: TextCollector, parts: DataParts): boolean {
  return (
    collector.isKnownValue(parts.mediaType) && parts.head.length === `data:${parts.mediaType};base64,`.length
  );
}

/** A reference in place of the thing itself. */
export function readUrl(collector: TextCollector, url: string, path: string, kind: MediaKind = 'text'): void {
  if (/^data:/i.test(url)) {
    readData(collector, url, path, '', kind);
  } else {
    collector.skip('url_only', path, 'given by its address; what is there was not read.', kind);
    collector.text(path, 'other', url);
  }
}

export function readFileId(
  collector: TextCollector,
  id: string,
  path: string,
  kind: MediaKind = 'text',
): void {
  collector.skip('file_id_unsupported', path, 'a file stored with the provider; not read.', kind);
  collector.text(path, 'identifier', id);
}

const MIN_SEALED_CHARACTERS = 128;

/** Signatures and encrypted content: opaque where it looks the part, text where not; so is base64 of a text. */
export function readEncrypted(
  collector: TextCollector,
  encrypted: string,
  path: string,
  role: SlotRole,
): void {
  if (isOpaque(encrypted)) collector.skip('encrypted', path, 'sealed by the provider; not read.', 'none');
  else collector.text(path, role, encrypted);
}

export function isOpaque(encrypted: string): boolean {
  return (
    encrypted.length >= MIN_SEALED_CHARACTERS &&
    /^[A-Za-z0-9+/=_-]*$/.test(encrypted) &&
    readEncoded(splitData(encrypted), false).kind !== 'text'
  );
}
