import PostalMime, { decodeWords, type Email } from 'postal-mime';
import { type FilePiece, type FileText, type ReadNested, unread } from './file-text.ts';
import { decodeAs } from './read-plain.ts';
import type { Allowance } from './reading-limits.ts';

/** Line before each message of a mailbox. */
const ENVELOPE = /^(?:\xef\xbb\xbf)?From [^\n]{1,200}\n/;
const MAILBOX_MESSAGE = /\n\r?\nFrom [^\n]{1,200}\n/;
const CHARSETS =
  /\bcharset\*?\d*\*?\s*=\s*"?'?([^\s"';]{1,60})|=\?([^?*\s]{1,60})(?:\*[^?]*)?\?[bq]\?|\*(?:0\*)?=\s*"?([\w.:-]{1,60})'/gi;
const TRANSFER_ENCODINGS = /^content-transfer-encoding[ \t]*:\s*"?([^\s;"(]{1,60})/gim;
const KNOWN_TRANSFER_ENCODING = /^(?:7bit|8bit|binary|base64|quoted-printable)$/i;

/**
 * Yields the texts of an email: its header, its body in every form, and the files that are attached. Pictures are not
 * reported: most emails have some, such as logos.
 */
export async function* readEmail(
  bytes: Buffer,
  allowance: Allowance,
  readNested: ReadNested,
): AsyncGenerator<FilePiece> {
  const raw = bytes.toString('latin1');
  yield* readUnknown(raw);
  const start = ENVELOPE.exec(raw)?.[0].length ?? 0;
  let email: Email;
  try {
    email = await PostalMime.parse(bytes.subarray(start), { attachmentEncoding: 'arraybuffer' });
  } catch {
    yield unread('undecodable', 'it is damaged');
    return;
  }
  yield { texts: textsOf(email) };
  for (const { filename, description, content } of email.attachments) {
    if (allowance.entries-- <= 0) {
      yield unread('too_large', 'it contains more files than the limit');
      return;
    }
    const names = [filename, description].filter((name) => typeof name === 'string' && name !== '');
    if (names.length > 0) yield { texts: [{ part: 'meta', text: names.join('\n') }] };
    for await (const piece of readNested(Buffer.from(content as ArrayBuffer)))
      if (piece.unread?.mayHold !== 'media') yield piece;
  }
}

/** Character sets and transfer encodings that another reader may know. */
function* readUnknown(raw: string): Generator<FilePiece> {
  const isUnknown = [...raw.matchAll(CHARSETS)].some(
    ([, inHeader, inWord, inParameter]) =>
      decodeAs(Buffer.alloc(0), inHeader ?? inWord ?? inParameter ?? 'utf-8') === null,
  );
  if (isUnknown) yield unread('undecodable', 'a part of it is in a character set that is not supported');
  if ([...raw.matchAll(TRANSFER_ENCODINGS)].some(([, name = '']) => !KNOWN_TRANSFER_ENCODING.test(name)))
    yield unread('undecodable', 'a part of it is in an encoding that is not supported');
  if (MAILBOX_MESSAGE.test(raw))
    yield unread('unsupported_type', 'mailboxes with several messages are not supported');
}

function textsOf({ headers, text, html }: Email): FileText[] {
  const texts: FileText[] = [];
  const decoded = headers.map(({ value }) => decodeWords(value)).filter((value) => value !== '');
  texts.push(...decoded.map((value) => ({ part: 'meta' as const, text: value })));
  for (const body of [text, html])
    if (body !== undefined && body.trim() !== '') texts.push({ part: 'text', text: body });
  return texts;
}
