import type { Steps } from '@csg/shared/text';

/** Lines between two pauses. */
const LINES = 512;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const DATA_LENGTH = 5;

/**
 * Checks that a client can read an event stream to its end: the data of every frame is an object, an array or `[DONE]`
 * from its first to its last character, and there is at least one frame. Only looks at the edges of lines, since the
 * frames are parsed later; errors inside them are treated as text there. `truncated`: the stream ends inside a frame,
 * although its connection ended properly.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over every line of a stream
export function* findStreamError(
  body: Buffer,
  streamType = 'text/event-stream',
): Steps<'malformed_stream' | 'truncated' | null> {
  if (streamType !== 'text/event-stream') return findLineError(body);
  let frames = 0;
  /** Last character of the current frame; 0 outside of frames and in empty ones. */
  let last = 0;
  let open = false;
  let at = 0;
  for (let lines = 1; at < body.length; lines++) {
    if (lines % LINES === 0) yield;
    const feed = body.indexOf(LINE_FEED, at);
    const next = feed === -1 ? body.length : feed + 1;
    const end = endOfText(body, at, feed === -1 ? body.length : feed);
    if (end === at) {
      if (open && !isClosing(last)) return 'malformed_stream';
      if (open) frames++;
      open = false;
      last = 0;
    } else if (startsWithData(body, at)) {
      const start = skipSpaces(body, at + DATA_LENGTH, end);
      if (start < end) {
        if (last === 0 && !isOpening(body[start])) return 'malformed_stream';
        last = body[end - 1]!;
      }
      open = true;
    } else if (feed === -1 && body[at] !== 0x3a) {
      return 'truncated';
    }
    at = next;
  }
  if (open) {
    if (last === 0 || !isClosing(last)) return 'truncated';
    frames++;
  }
  return frames === 0 ? 'malformed_stream' : null;
}

/** Matches `data:`; checks the third character first, because it differs from `event:`, which is every other line. */
function startsWithData(body: Buffer, at: number): boolean {
  return (
    body[at + 2] === 0x74 &&
    body[at] === 0x64 &&
    body[at + 1] === 0x61 &&
    body[at + 3] === 0x61 &&
    body[at + 4] === 0x3a
  );
}

/** The same for streams with one JSON value per line. */
function findLineError(body: Buffer): 'malformed_stream' | 'truncated' | null {
  const text = body.toString('latin1').trim();
  if (!/^[[{]/.test(text)) return 'malformed_stream';
  return /[\]}]$/.test(text) ? null : 'truncated';
}

function endOfText(body: Buffer, start: number, end: number): number {
  let at = end;
  while (at > start && (body[at - 1] === SPACE || body[at - 1] === CARRIAGE_RETURN)) at--;
  return at;
}

function skipSpaces(body: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && body[at] === SPACE) at++;
  return at;
}

function isOpening(letter: number | undefined): boolean {
  return letter === 0x7b || letter === 0x5b; // { [
}

/** 0: a frame without data, which some providers send as a keep-alive. */
function isClosing(letter: number): boolean {
  return letter === 0x7d || letter === 0x5d || letter === 0; // } ]
}
