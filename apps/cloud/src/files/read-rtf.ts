import { Tokenize } from 'rtf-stream-parser';
import { type FilePiece, type ReadNested, unread } from './file-text.ts';
import { NOT_TEXT } from './read-plain.ts';
import { RtfTexts, type RtfToken } from './rtf-texts.ts';

const CHUNK_BYTES = 65_536;
/** Longer texts are returned in parts, so that what was read before a limit is kept. */
const MAX_PIECE_CHARACTERS = 500_000;
/** The tokenizer logs escapes of a byte that have no two digits; readers show nothing for them. */
const BROKEN_ESCAPE = /\\'(?![0-9a-f]{2})/gi;

/** Yields the texts of an RTF document: its text, what is hidden in it, and the files that are embedded. */
export async function* readRtf(bytes: Buffer, readNested: ReadNested): AsyncGenerator<FilePiece> {
  const texts = new RtfTexts();
  const rtf = Buffer.from(bytes.toString('latin1').replace(BROKEN_ESCAPE, "\\'3f"), 'latin1');
  try {
    for (const token of tokensOf(rtf)) {
      texts.read(token);
      if (texts.length > MAX_PIECE_CHARACTERS) yield { texts: texts.take() };
      const embedded = texts.takeEmbedded();
      if (embedded === null) continue;
      for await (const piece of readNested(embedded.bytes))
        if (!embedded.isPicture || isMore(piece)) yield piece;
    }
  } catch {
    yield unread('undecodable', 'it is damaged');
  }
  yield { texts: texts.take() };
  if (texts.hasUnknownCharset)
    yield unread('undecodable', 'some of it is in a character set that is not supported');
}

/** Pictures of a document are not reported: their destination says what they are. */
const isMore = (piece: FilePiece): boolean => piece !== NOT_TEXT && piece.unread?.mayHold !== 'media';

/** Without the queue of a stream, which takes most of the time. */
function* tokensOf(bytes: Buffer): Generator<RtfToken> {
  const tokenizer = new Tokenize();
  let tokens: RtfToken[] = [];
  tokenizer.push = (token: RtfToken) => {
    tokens.push(token);
    return true;
  };
  const throwIfFailed = (error?: Error): void => {
    if (error) throw error;
  };
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    tokenizer._transform(bytes.subarray(at, at + CHUNK_BYTES), undefined, throwIfFailed);
    yield* tokens;
    tokens = [];
  }
  tokenizer._flush(throwIfFailed);
  yield* tokens;
}
