import type { Steps } from '@csg/shared/text';

/** White space after the colon of a comment, in UTF-8: ASCII and the spaces of Unicode. */
const SPACE =
  '(?:[\\t\\v\\f ]|\\xc2[\\x85\\xa0]|\\xe1\\x9a\\x80|\\xe2(?:\\x80[\\x80-\\x8b\\xa8\\xa9\\xaf]|\\x81[\\x9f\\xa0])|\\xe3\\x80\\x80|\\xef\\xbb\\xbf)';
const OWN = new RegExp(`^:${SPACE}*service`, 'i');
/** The beginning of such a comment, cut anywhere. */
const MAY_BE_OWN = new RegExp(
  `^:${SPACE}*(?:[\\xc2\\xe1\\xe2\\xe3\\xef][\\x80\\x81\\x9a\\xbb]?|s(?:e(?:r(?:v(?:ic?)?)?)?)?)?$`,
  'i',
);
/** No honest comment begins with so much white space. Bytes. */
const MAX_HELD = 4_096;
const NOTHING = Buffer.alloc(0);
const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/**
 * Drops the comments of a provider's event stream that begin like the gateway's own (`: service …`), however the stream
 * is cut into chunks. All other bytes stay as they are. Linear.
 */
export class OwnComments {
  /** The beginning of a line that may become such a comment. */
  #held: Buffer = NOTHING;
  #isDropping = false;
  #isLineStart = true;
  #isStart = true;

  /** Returns what can go on of the stream so far. */
  push(chunk: Buffer): Buffer {
    const data = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = NOTHING;
    // One character per byte.
    const text = data.toString('latin1');
    const kept: Buffer[] = [];
    for (let at = 0; at < data.length; )
      at = this.#isDropping ? this.#drop(text, at) : this.#keep(data, text, at, kept);
    return kept.length === 1 ? kept[0]! : Buffer.concat(kept);
  }

  /** Returns what was held back when the stream ends. */
  end(): Buffer {
    return this.#held;
  }

  /** What separates the comment from the next line stays. */
  #drop(text: string, from: number): number {
    const end = search(/[\r\n]/g, text, from);
    if (end < 0) return text.length;
    this.#isDropping = false;
    this.#isLineStart = true;
    return end;
  }

  #keep(data: Buffer, text: string, from: number, kept: Buffer[]): number {
    const at = this.#commentFrom(text, from);
    if (at < 0) {
      kept.push(data.subarray(from));
      this.#isLineStart = /[\r\n]$/.test(text.slice(-1));
      return data.length;
    }
    if (at > from) kept.push(data.subarray(from, at));
    const beginning = text.slice(at, at + MAX_HELD + SERVICE);
    const mayBe = MAY_BE_OWN.test(beginning);
    if (OWN.test(beginning) || (mayBe && beginning.length > MAX_HELD)) {
      this.#isDropping = true;
      return at;
    }
    if (mayBe) {
      this.#held = data.subarray(at);
      this.#isLineStart = true;
      return data.length;
    }
    this.#isLineStart = false;
    kept.push(data.subarray(at, at + 1));
    return at + 1;
  }

  /** Returns where the next comment begins; -1 if there is none. */
  #commentFrom(text: string, from: number): number {
    const at = this.#isStart && text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : from;
    this.#isStart = false;
    if (this.#isLineStart && text[at] === ':') return at;
    const end = search(/[\r\n]:/g, text, at);
    return end < 0 ? -1 : end + 1;
  }
}

export function* withoutOwnComments(stream: Buffer): Steps<Buffer> {
  const comments = new OwnComments();
  const kept: Buffer[] = [];
  for (let at = 0; at < stream.length; at += PIECE_BYTES) {
    kept.push(comments.push(stream.subarray(at, at + PIECE_BYTES)));
    yield;
  }
  return Buffer.concat([...kept, comments.end()]);
}

/** Read between two pauses. */
const PIECE_BYTES = 65_536;

const SERVICE = ': service'.length;

/** Returns where the pattern matches first; -1 if it does not. */
function search(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
