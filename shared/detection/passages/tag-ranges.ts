import { markingOf } from './marker-words.ts';

export interface TagRange {
  /** Range of the content, without the tags. */
  readonly start: number;
  readonly end: number;
  readonly marking: 'document' | 'example';
}

interface Tag {
  readonly from: number;
  readonly to: number;
  readonly isClosing: boolean;
  /** True if it is alone on its line; a tag mentioned in prose has words around it. */
  readonly isAlone: boolean;
  readonly marking: TagRange['marking'];
}

/** Bounded lengths, so that a text full of `<` takes linear time. */
const TAG = /<(\/?)([A-Za-z][\w.:-]{0,63})((?:\s[^<>]{0,300})?)>/g;
/** Attributes that only text from elsewhere has. */
const FROM_ELSEWHERE = /\s(?:source|url|uri|filename|file_name|document_id|doc_id)\s?=/i;
const LINE_BEGINS = /(?:^|\n)[ \t]*$/;
const LINE_ENDS = /^[ \t]*(?:\r?\n|$)/;
/** The amount of whitespace before or after a tag that is examined. */
const MAX_INDENT = 16;

/**
 * Returns the contents of tags that name a document or an example, in order of their starts. A closing tag matches the
 * last opening one of its name. An extra closing tag extends the range closed before it, because a document may contain
 * its own closing tag so that the text after it seems to be outside.
 */
export function tagRanges(text: string): TagRange[] {
  if (!text.includes('<')) return [];
  const ranges: TagRange[] = [];
  for (const tags of tagsByName(text).values()) ranges.push(...pairUp(tags, text.length));
  return ranges.sort((one, other) => one.start - other.start || other.end - one.end);
}

function tagsByName(text: string): Map<string, Tag[]> {
  const byName = new Map<string, Tag[]>();
  const markings = new Map<string, TagRange['marking'] | 'own' | 'unknown'>();
  for (const match of text.matchAll(TAG)) {
    const [whole, slash = '', name = '', attributes = ''] = match;
    let marking = markings.get(name) ?? markingOf(name);
    if (marking === 'unknown' && FROM_ELSEWHERE.test(attributes)) marking = 'document';
    markings.set(name, marking);
    if (marking === 'own' || marking === 'unknown' || attributes.endsWith('/')) continue;
    // A placeholder such as `<text of the answer>` is not a tag.
    if (attributes.trim() !== '' && !attributes.includes('=')) continue;
    const from = match.index;
    const to = from + whole.length;
    const isAlone =
      LINE_BEGINS.test(text.slice(Math.max(0, from - MAX_INDENT), from)) &&
      LINE_ENDS.test(text.slice(to, to + MAX_INDENT));
    const tags = byName.get(name) ?? [];
    tags.push({ from, to, isClosing: slash !== '', isAlone, marking });
    byName.set(name, tags);
  }
  return byName;
}

function pairUp(tags: readonly Tag[], length: number): TagRange[] {
  const open: Tag[] = [];
  const ranges: { start: number; end: number; marking: TagRange['marking'] }[] = [];
  for (const tag of tags) {
    const opening = tag.isClosing ? open.pop() : undefined;
    if (!tag.isClosing) open.push(tag);
    else if (opening !== undefined)
      ranges.push({ start: opening.to, end: tag.from, marking: opening.marking });
    else if (ranges.length > 0) ranges[ranges.length - 1]!.end = tag.from;
  }
  // Never closed: extends to the next tag of its name, or to the end.
  for (const [i, tag] of open.entries()) {
    if (tag.marking === 'document' && tag.isAlone)
      ranges.push({ start: tag.to, end: open[i + 1]?.from ?? length, marking: tag.marking });
  }
  return ranges;
}
