import type { Span } from '../../text/index.ts';

/** Files with instructions for coding agents in a project. */
const FILE =
  /(?:AGENTS?|CLAUDE(?:\.local)?|GEMINI|QWEN|CRUSH|WARP|JULES|OPENCODE|CONVENTIONS|copilot-instructions|\.instructions)\.md\b|\.(?:cursor|windsurf|cline|roo|kilocode)rules\b|\.goosehints\b|\.cursor\/rules\//gi;
/** Part of each of the names. */
const HINT = /\.(?:md|cursor|windsurf|cline|roo|kilocode|goosehints)/i;
/** Tags that agents put around such a file. */
const TAG_NAME =
  /^(?:agents?_md|claude_md|(?:user|project|custom|repo(?:sitory)?|workspace|cursor|agent)_(?:instructions|rules)|(?:always_applied_)?workspace_rules?|rules|system-reminder)$/i;
/** Names of tags in which a coding agent tells the model of its mode, its environment or its settings. */
const NOTE_NAME =
  /^(?:[a-z]+[-_])*(?:reminders?|environment|context|instructions?|rules?|modes?|notices?|notes?|state|status|info|memory|settings)(?:[-_][a-z]+)*$/i;
/** A line that announces such a file. */
const LEAD =
  /^[ \t]*(?:#{1,4} |-{3,} (?!End\b)|Contents of |Context from:? |Instructions from:? |File: ?)[^\n]{0,300}$/gim;
const TAG = /<(\/?)([A-Za-z][\w-]{0,63})((?:\s[^<>]{0,300})?)>/g;
const END_LINE = /^-{3,} ?End of [^\n]*$/gim;
/** A line such as `--- End of content ---`, with which clients part what they put into a message. */
const DELIMITER = /^([-=*#])\1{2,} .{1,80} \1{3,}$/;
const MAX_DELIMITERS = 200;
/** The maximum distance from a lead to a tag that encloses the whole file. */
const MAX_BLANK = 8;

export interface RuleFileRange extends Span {
  /**
   * True if a tag or a line marks its end; false if only its beginning is marked, so that it extends to the end of the
   * text.
   */
  readonly isEnclosed: boolean;
  /** Where the tag in front of it begins, which a finding may include; absent: at its start. */
  readonly tagStart?: number;
}

/** Offsets of marks in a text, in order; searched once for all ranges. */
interface Landmarks {
  readonly length: number;
  readonly files: readonly number[];
  readonly tags: readonly RegExpExecArray[];
  /** Closing tags by name. */
  readonly closings: ReadonlyMap<string, readonly number[]>;
  readonly endLines: readonly number[];
}

/**
 * Returns the ranges of a user's text with rule files for agents (AGENTS.md and the like) that the client put there:
 * they speak for the developer, but any contributor may have written them. In order and without overlaps; linear in the
 * text.
 */
export function ruleFileRanges(text: string): RuleFileRange[] {
  if (!HINT.test(text)) return [];
  const files = indexesOf(text, FILE);
  if (files.length === 0) return [];
  const tags = [...text.matchAll(TAG)];
  const closings = closingsIn(tags);
  const landmarks = { length: text.length, files, tags, closings, endLines: indexesOf(text, END_LINE) };
  const tagged = taggedRanges(landmarks);
  const ranges = [...tagged, ...ledRanges(text, landmarks, tagged)].sort((a, b) => a.start - b.start);
  const apart: RuleFileRange[] = [];
  for (const range of ranges) if (range.start >= (apart.at(-1)?.end ?? 0)) apart.push(range);
  return apart;
}

/**
 * Returns the ranges of a user's text that the client put there: rule files, and in texts of a coding agent also its own
 * notes (reminders, modes, environment), which stand in tags with a name of several words, at the beginning of a line,
 * and texts of delimiters.
 * In order and without overlaps; linear in the text.
 */
export function clientRanges(text: string, isAgents: boolean): RuleFileRange[] {
  const files = ruleFileRanges(text);
  if (!isAgents) return files;
  if (isAllDelimiters(text)) return [{ start: 0, end: text.length, isEnclosed: true, tagStart: 0 }];
  if (!text.includes('</')) return files;
  const tags = [...text.matchAll(TAG)];
  const closings = closingsIn(tags);
  const notes = tags.flatMap(({ 0: whole, 1: slash, 2: name = '', index }) => {
    const isOpening = slash === '' && /[-_]/.test(name) && NOTE_NAME.test(name) && beginsLine(text, index);
    const start = index + whole.length;
    const end = isOpening ? firstFrom(closings.get(name), start) : undefined;
    return end === undefined ? [] : [{ start, end, isEnclosed: true, tagStart: index }];
  });
  const apart: RuleFileRange[] = [];
  for (const range of [...files, ...notes].sort((a, b) => a.start - b.start))
    if (range.start >= (apart.at(-1)?.end ?? 0)) apart.push(range);
  return apart;
}

function isAllDelimiters(text: string): boolean {
  if (text.length > MAX_DELIMITERS) return false;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every((line) => DELIMITER.test(line.trim()));
}

/** True if a span is in the range, with the tag in front of it and behind it. */
export function isWithin(
  { start: from, end, tagStart = from }: RuleFileRange,
  { start, end: last }: Span,
): boolean {
  return tagStart <= start && start < end && from < last;
}

/** True if a text contains nothing but what a client put there, each part of it with a mark at its end. */
export function isAllClients(text: string, ranges: readonly RuleFileRange[]): boolean {
  if (ranges.length === 0 || ranges.some(({ isEnclosed }) => !isEnclosed)) return false;
  let rest = '';
  let at = 0;
  for (const { start, end } of ranges) {
    rest += text.slice(at, start);
    at = end;
  }
  return (rest + text.slice(at)).replace(TAG, '').replace(LEAD, '').replace(END_LINE, '').trim() === '';
}

const MAX_INDENT = 16;

function beginsLine(text: string, at: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - MAX_INDENT), at));
}

function indexesOf(text: string, pattern: RegExp): number[] {
  return Array.from(text.matchAll(pattern), ({ index }) => index);
}

function closingsIn(tags: Landmarks['tags']): Map<string, number[]> {
  const byName = new Map<string, number[]>();
  for (const { 1: slash, 2: name = '', 3: attributes, index } of tags) {
    if (slash === '' || attributes !== '') continue;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [index]);
    else known.push(index);
  }
  return byName;
}

/** Returns the first of the ascending offsets from `at` on. */
function firstFrom(places: readonly number[] | undefined, at: number): number | undefined {
  if (places === undefined) return undefined;
  let low = 0;
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (places[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return places[low];
}

function taggedRanges({ length, files, tags, closings }: Landmarks): RuleFileRange[] {
  const ranges: RuleFileRange[] = [];
  for (const { 0: whole, 1: slash, 2: name = '', index } of tags) {
    if (slash !== '' || index < (ranges.at(-1)?.end ?? 0)) continue;
    const file = firstFrom(files, index);
    if (file === undefined) break;
    const start = index + whole.length;
    const isNamed = file < start;
    if (!isNamed && !TAG_NAME.test(name)) continue;
    const closing = firstFrom(closings.get(name), start);
    const end = closing ?? length;
    if (file < end) ranges.push({ start, end, isEnclosed: closing !== undefined });
  }
  return ranges;
}

/** Returns the files that a heading or another line announces, up to the end of the tag, of the file or of the text. */
function ledRanges(text: string, landmarks: Landmarks, tagged: readonly Span[]): RuleFileRange[] {
  const ranges: RuleFileRange[] = [];
  let passed = 0;
  for (const { 0: line, index } of text.matchAll(LEAD)) {
    while (passed < tagged.length && tagged[passed]!.end <= index) passed++;
    const isTagged = passed < tagged.length && tagged[passed]!.start <= index;
    if (isTagged || index < (ranges.at(-1)?.end ?? 0)) continue;
    const start = index + line.length;
    const file = firstFrom(landmarks.files, index);
    if (file === undefined || file >= start) continue;
    const end = endOfFile(text, start, landmarks);
    ranges.push({ start, end: end ?? text.length, isEnclosed: end !== undefined });
  }
  return ranges;
}

function endOfFile(text: string, from: number, { closings, endLines }: Landmarks): number | undefined {
  const opening = /^\s*<([A-Za-z][\w-]{0,63})>/.exec(text.slice(from, from + MAX_BLANK + 66));
  const closing = opening === null ? undefined : firstFrom(closings.get(opening[1]!), from);
  return closing ?? firstFrom(endLines, from);
}
