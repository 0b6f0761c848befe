import type { Span } from '../../text/index.ts';

/**
 * A stretch of data that a reader takes as one: a value, a table cell, a list item, a comment, a message, a paragraph.
 */
export interface Unit extends Span {
  /** The unit as it reads, without the escapes of the format around it. */
  readonly text: string;
  /** The offset into the whole text at which a character of `text` begins. */
  at(index: number): number;
}

/** True if two spans share a character, or an empty one lies in the other. */
export function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}

/** A part of a text in its format. */
export interface Part extends Span {
  /** Set for marks of the format and names: no reader takes them as text. */
  readonly isFrame?: boolean;
  /** Set for comments of code: their lines begin with marks, which no format has. */
  readonly isComment?: boolean;
}

/**
 * Returns the innermost of nested parts: in order, without overlaps; what lies between two inner ones stays a part of
 * the outer one.
 */
export function innermost(parts: readonly Part[]): Part[] {
  const sorted = parts
    .filter(({ start, end }) => end > start)
    .sort((one, other) => one.start - other.start || other.end - one.end);
  const pieces: Part[] = [];
  const open: Part[] = [];
  let at = 0;
  const closeUntil = (end: number): void => {
    for (let last = open.at(-1); last !== undefined && last.end <= end; last = open.at(-1)) {
      if (last.end > at) pieces.push({ ...last, start: at });
      at = Math.max(at, last.end);
      open.pop();
    }
  };
  for (const part of sorted) {
    closeUntil(part.start);
    const outer = open.at(-1);
    if (outer !== undefined && part.start > at) pieces.push({ ...outer, start: at, end: part.start });
    at = Math.max(at, part.start);
    open.push(part);
  }
  closeUntil(Number.POSITIVE_INFINITY);
  return pieces;
}
