import type { Span } from '../../text/index.ts';

/** Files that tell coding agents how to work in a project. */
const FILE =
  /(?:AGENTS?|CLAUDE(?:\.local)?|GEMINI|QWEN|CRUSH|WARP|JULES|OPENCODE|CONVENTIONS|copilot-instructions|\.instructions)\.md\b|\.(?:cursor|windsurf|cline|roo|kilocode)rules\b|\.goosehints\b|\.cursor\/rules\//i;
/** One of these stands in each of the names: a search for them costs next to nothing. */
const HINTS = ['.md', 'rules', 'goosehints'] as const;
/** Tags in which agents hand such a file on. */
const TAG_NAME =
  /^(?:agents?_md|claude_md|(?:user|project|custom|repo(?:sitory)?|workspace|cursor|agent)_(?:instructions|rules)|(?:always_applied_)?workspace_rules?|rules|system-reminder)$/i;
/** A line that says that such a file follows. */
const LEAD =
  /^[ \t]*(?:#{1,4} |-{3,} (?!End\b)|Contents of |Context from:? |Instructions from:? |File: ?)[^\n]{0,300}$/gim;
const TAG = /<([A-Za-z][\w-]{0,63})((?:\s[^<>]{0,300})?)>/g;
const END_LINE = /^-{3,} ?End of [^\n]*$/im;
/** How far behind its lead a tag may open that encloses the whole file. */
const MAX_BLANK = 8;

/**
 * Where a text of a user contains a file of rules for agents (AGENTS.md and the like) that the client put there: the
 * developer's words, in a file that anybody may have written. In order and apart; linear in the text.
 */
export function ruleFileRanges(text: string): Span[] {
  if (!HINTS.some((hint) => text.includes(hint)) || !FILE.test(text)) return [];
  const tagged = taggedRanges(text);
  const ranges = [...tagged, ...ledRanges(text, tagged)].sort((a, b) => a.start - b.start);
  const apart: Span[] = [];
  for (const range of ranges) if (range.start >= (apart.at(-1)?.end ?? 0)) apart.push(range);
  return apart;
}

function taggedRanges(text: string): Span[] {
  const ranges: Span[] = [];
  for (const match of text.matchAll(TAG)) {
    const [whole, name = '', attributes = ''] = match;
    if (match.index < (ranges.at(-1)?.end ?? 0)) continue;
    const isNamed = FILE.test(attributes);
    if (!isNamed && !TAG_NAME.test(name)) continue;
    const start = match.index + whole.length;
    const close = text.indexOf(`</${name}>`, start);
    const end = close === -1 ? text.length : close;
    if (isNamed || FILE.test(text.slice(start, end))) ranges.push({ start, end });
  }
  return ranges;
}

/** Files that a heading or another line names, up to the end of the tag, of the file or of the text. */
function ledRanges(text: string, tagged: readonly Span[]): Span[] {
  const ranges: Span[] = [];
  for (const match of text.matchAll(LEAD)) {
    const from = match.index + match[0].length;
    const isKnown = [...tagged, ...ranges].some(
      ({ start, end }) => start <= match.index && match.index < end,
    );
    if (isKnown || !FILE.test(match[0])) continue;
    ranges.push({ start: from, end: endOfFile(text, from) });
  }
  return ranges;
}

function endOfFile(text: string, from: number): number {
  const opening = /^\s*<([A-Za-z][\w-]{0,63})>/.exec(text.slice(from, from + MAX_BLANK + 66));
  const closing = opening === null ? -1 : text.indexOf(`</${opening[1]}>`, from);
  if (closing !== -1) return closing;
  const end = END_LINE.exec(text.slice(from));
  return end === null ? text.length : from + end.index;
}
