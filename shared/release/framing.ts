/** The encoding of a stream's frames as bytes. */
export interface Framing {
  /** Returns the end of the frame that begins at `start`; -1: it is incomplete. There is no end before `searched`. */
  endOfFrame(bytes: Buffer, start: number, searched: number): number;
  /** Returns the text of a frame, as events with line feeds only; null if it cannot be decoded. */
  read(frame: Buffer): string | null;
  /** Returns the part of a frame that can be rewritten, as an event. */
  sourceOf(frame: Buffer): string;
  /** Returns the frame with another source, in the encoding of its clients. */
  rewrite(frame: Buffer, source: string): Buffer;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Server-sent events. */
export const eventFraming: Framing = {
  /** Returns the offset after the first empty line. Other line ends are not supported: such a stream is held. */
  endOfFrame(bytes, start, searched) {
    for (
      let at = bytes.indexOf(LINE_FEED, Math.max(start, searched));
      at !== -1;
      at = bytes.indexOf(LINE_FEED, at + 1)
    ) {
      if (bytes[at + 1] === LINE_FEED) return at + 2;
      if (bytes[at + 1] === CARRIAGE_RETURN && bytes[at + 2] === LINE_FEED) return at + 3;
    }
    return -1;
  },
  read(frame) {
    try {
      const text = utf8.decode(frame);
      // A byte order mark is only allowed at the start of the whole stream, which is not known here.
      if (text.charCodeAt(0) === 0xfeff) return null;
      return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    } catch {
      return null;
    }
  },
  sourceOf: (frame) => frame.toString(),
  rewrite: (_frame, source) => Buffer.from(source),
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
