import type { Span } from '../../text/index.ts';
import { lineEnd } from '../passages/lines.ts';
import type { Part } from './unit.ts';

/** A line of a text, without its line end. */
export interface Line extends Span {
  readonly text: string;
}

export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const end = lineEnd(text, start);
    lines.push({ start, end, text: text.slice(start, end).replace(/\r$/, '') });
    start = end + 1;
  }
  return lines;
}

/** The share of lines that a pattern matches; 0 without lines. */
export function shareOf(lines: readonly Line[], pattern: RegExp): number {
  return lines.length === 0 ? 0 : lines.filter(({ text }) => pattern.test(text)).length / lines.length;
}

/**
 * Returns the lines from each that begins with `head` up to the next one, the head as a frame; lines before the first
 * are a part, too.
 */
export function groupsFrom(lines: readonly Line[], head: RegExp): Part[] {
  const groups: { start: number; end: number }[] = [];
  const heads: Part[] = [];
  for (const { start, end, text } of lines) {
    const last = groups.at(-1);
    const [begins] = head.exec(text) ?? [];
    if (begins !== undefined) heads.push({ start, end: start + begins.length, isFrame: true });
    if (begins !== undefined || last === undefined)
      groups.push({ start: start + (begins?.length ?? 0), end });
    else last.end = end;
  }
  return [...groups, ...heads];
}

/** Returns the runs of lines between blank ones. */
export function paragraphs(text: string): Span[] {
  const spans: { start: number; end: number }[] = [];
  let open: { start: number; end: number } | undefined;
  for (const line of linesOf(text)) {
    if (line.text.trim() === '') open = undefined;
    else if (open !== undefined) open.end = line.end;
    else {
      open = { start: line.start, end: line.end };
      spans.push(open);
    }
  }
  return spans;
}
