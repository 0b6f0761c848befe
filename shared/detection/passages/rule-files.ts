import type { Span } from '../../text/index.ts';

/** Files that tell coding agents how to work in a project. */
const FILE =
  /(?:AGENTS?|CLAUDE(?:\.local)?|GEMINI|QWEN|CRUSH|WARP|JULES|OPENCODE|CONVENTIONS|copilot-instructions|\.instructions)\.md\b|\.(?:cursor|windsurf|cline|roo|kilocode)rules\b|\.goosehints\b|\.cursor\/rules\//gi;
/** Stands in each of the names. */
const HINT = /\.(?:md|cursor|windsurf|cline|roo|kilocode|goosehints)/i;
/** Tags in which agents hand such a file on. */
const TAG_NAME =
  /^(?:agents?_md|claude_md|(?:user|project|custom|repo(?:sitory)?|workspace|cursor|agent)_(?:instructions|rules)|(?:always_applied_)?workspace_rules?|rules|system-reminder)$/i;
/** A line that says that such a file follows. */
const LEAD =
  /^[ \t]*(?:#{1,4} |-{3,} (?!End\b)|Contents of |Context from:? |Instructions from:? |File: ?)[^\n]{0,300}$/gim;
const TAG = /<(\/?)([A-Za-z][\w-]{0,63})((?:\s[^<>]{0,300})?)>/g;
const END_LINE = /^-{3,} ?End of [^\n]*$/gim;
/** How far behind its lead a tag may open that encloses the whole file. */
const MAX_BLANK = 8;

export interface RuleFileRange extends Span {
  /** A tag or a line marks where it ends; false: it is said to begin, and goes on to the end of the text. */
  readonly isEnclosed: boolean;
}

/** Where things stand in a text, in order: looked for once, however many ranges ask for the next. */
interface Landmarks {
  readonly length: number;
  readonly files: readonly number[];
  readonly tags: readonly RegExpExecArray[];
  /** By the name of the tag. */
  readonly closings: ReadonlyMap<string, readonly number[]>;
  readonly endLines: readonly number[];
}

/**
 * Where a text of a user contains a file of rules for agents (AGENTS.md and the like) that the client put there: the
 * developer's words, in a file that any contributor may have written. In order and apart; linear in the text.
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

/** The first of the places, which are in order, from `at` on. */
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

/** Files that a heading or another line names, up to the end of the tag, of the file or of the text. */
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
