/** How the frames of a stream stand in its bytes. */
export interface Framing {
  /** Where the frame ends that begins at `start`; -1: it is not whole. Up to `searched` no end was found. */
  endOfFrame(bytes: Buffer, start: number, searched: number): number;
  /** What a frame says, as events with one kind of line end; null if it cannot be read. */
  read(frame: Buffer): string | null;
  /** The part of it that can be written anew, as an event. */
  sourceOf(frame: Buffer): string;
  /** The frame with another source, as its clients read it. */
  rewrite(frame: Buffer, source: string): Buffer;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Server-sent events. */
export const eventFraming: Framing = {
  /** Behind the first blank line. Ends of lines of another kind are not looked for: such a stream is held. */
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
      // Only of the whole is it known that this begins it.
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
