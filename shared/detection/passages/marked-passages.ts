import { endsHere, extentFrom } from './label-extent.ts';
import { announcesDocument, beginsDocument, isLikelyLabel, isOwnLabel, isSureLabel } from './label-words.ts';
import {
  closesFence,
  endsWithColon,
  type Fence,
  fenceIn,
  headingLevel,
  isBracketed,
  isDecorated,
  isQuoted,
  isRule,
  isWhollyQuoted,
  labelBeforeColon,
  labelOf,
  saysExample,
  saysShown,
  tripleQuoteIn,
} from './line-shapes.ts';
import { findLine, lineEnd } from './lines.ts';
import { type TagRange, tagRanges } from './tag-ranges.ts';

/** A part of a text that is marked as a document: its author only wants the model to read it. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  /** The kind of mark. */
  readonly by: 'tag' | 'fence' | 'quote' | 'rule' | 'label';
}

/** Shorter than anything worth reading. */
const MIN_PASSAGE = 8;
/** A quick check: only lines with one of these can open a passage; plain prose cannot. */
const MAY_MARK = /^\s*[`~>"'\u201c[#*_=+<\\-]|:|"""|'''|^[\s\W_]*(?:begin|start)/i;
/**
 * A line that is not a sentence: it begins with decoration or with a word that opens a document, or ends with a colon.
 */
const MAY_BE_LABEL = /^\s*(?:[*_=[<-]|\\?#)|^[\W_]*(?:begin|start)|:\s*$/i;
/** Limits the searches for a closing rule, each of which reads to the end of the text. */
const MAX_RULES_WITHOUT_END = 16;
/** Info strings of fences that name no programming language. */
const PLAIN_FENCE = /^(?:te?xt|plain|plaintext|none|quote|e?mail|html|csv|tsv|document|context)?$/i;

/**
 * Returns the passages that tags, fences, quotes, rules or labels mark as documents, in order and without overlaps.
 * Only the outermost mark counts: marks in a document belong to it, marks in an example to the developer. Linear.
 */
export function markedPassages(text: string): Passage[] {
  return new PassageScanner(text).run();
}

/** Reads a text line by line. A marked range is consumed as a whole, and reading continues after it. */
class PassageScanner {
  private readonly text: string;
  private readonly tags: readonly TagRange[];
  private readonly passages: { start: number; end: number; by: Passage['by'] }[] = [];
  private nextTag = 0;
  /** The last line before the current one that contains words. */
  private lead = '';
  /** The index of the last fenced passage. */
  private lastFence = -1;
  /** The end of the current line, which may be read in several steps. */
  private end = -1;
  /** Fence marks that no further line closes. */
  private readonly unclosed = new Set<string>();
  private rulesWithoutEnd = 0;
  /** No line from this offset on ends a document. */
  private noEndFrom = Number.POSITIVE_INFINITY;

  constructor(text: string) {
    this.text = text;
    this.tags = tagRanges(text);
  }

  run(): Passage[] {
    const { text } = this;
    for (let at = 0; at < text.length; ) at = this.readLine(at);
    return this.passages.filter(({ start, end }) => end - start >= MIN_PASSAGE);
  }

  /** Reads a line and returns the offset to continue at. */
  private readLine(at: number): number {
    if (at > this.end) this.end = lineEnd(this.text, at);
    const { end } = this;
    const tag = this.tagFrom(at);
    if (tag !== undefined && tag.start <= end) {
      this.lead = '';
      if (tag.marking === 'document') this.take(tag.start, tag.end, 'tag');
      return Math.max(tag.end, at + 1);
    }
    const line = this.text.slice(at, end);
    const next = end + 1;
    if (!MAY_MARK.test(line)) {
      if (line.trim() !== '') this.lead = line;
      return next;
    }
    const after =
      this.fenceAt(line, next) ??
      this.quoteAt(line, at, next) ??
      this.ruleAt(line, next) ??
      this.labelAt(line, at, next);
    this.lead = after === undefined ? line : '';
    return after ?? next;
  }

  private take(start: number, end: number, by: Passage['by']): void {
    this.passages.push({ start, end: Math.min(end, this.text.length), by });
  }

  /** Returns the outermost tag range that begins at `at` or later. */
  private tagFrom(at: number): TagRange | undefined {
    while (this.nextTag < this.tags.length && this.tags[this.nextTag]!.start < at) this.nextTag++;
    return this.tags[this.nextTag];
  }

  private extent(from: number, level: number): number {
    return extentFrom(this.text, from, level, this.tagFrom(from)?.start ?? -1);
  }

  private fenceAt(line: string, next: number): number | undefined {
    const fence = fenceIn(line);
    if (fence === undefined) return undefined;
    const isDocument = this.isDocumentIn(fence);
    const close = this.unclosed.has(fence.mark)
      ? undefined
      : findLine(this.text, next, (other) => closesFence(other, fence));
    if (close !== undefined) {
      if (isDocument) this.lastFence = this.passages.length;
      if (isDocument) this.take(next, close, 'fence');
      return lineEnd(this.text, close) + 1;
    }
    this.unclosed.add(fence.mark);
    if (fence.info === '' && this.lastFence >= 0) {
      // An extra closing fence: the previous one did not end the document.
      this.passages.length = this.lastFence + 1;
      this.passages[this.lastFence]!.end = next - line.length - 1;
      return next;
    }
    if (!isDocument) return next;
    const end = this.extent(next, 0);
    this.take(next, end, 'fence');
    return end;
  }

  /**
   * True if a fence contains a document: it is announced, or has no language. Code, examples and the content under the
   * developer's own headings are not documents.
   */
  private isDocumentIn({ info }: Fence): boolean {
    const { lead } = this;
    if (saysExample(lead)) return false;
    const label = labelOf(lead);
    if (announcesDocument(lead) || isLikelyLabel(label)) return true;
    return PLAIN_FENCE.test(info) && !isDecorated(lead) && !saysShown(lead) && !isOwnLabel(label);
  }

  private quoteAt(line: string, at: number, next: number): number | undefined {
    const triple = tripleQuoteIn(line);
    if (triple !== undefined) {
      const start = at + triple.at + triple.mark.length;
      const end = this.text.indexOf(triple.mark, start);
      if (end < 0) return undefined;
      const before = line.slice(0, triple.at).trim();
      if (!isShown(before === '' ? this.lead : before)) this.take(start, end, 'quote');
      return end + triple.mark.length;
    }
    const isBlock = isQuoted(line);
    if (!isBlock && !isWhollyQuoted(line)) return undefined;
    const end = isBlock ? (findLine(this.text, next, (other) => !isQuoted(other)) ?? this.text.length) : next;
    if (!isShown(this.lead)) this.take(at, end, 'quote');
    return end;
  }

  /** Reads a document between two equal rules, after words that announce it. */
  private ruleAt(line: string, next: number): number | undefined {
    if (!isRule(line) || this.rulesWithoutEnd >= MAX_RULES_WITHOUT_END) return undefined;
    if (!announcesDocument(this.lead) && !isLikelyLabel(labelOf(this.lead))) return undefined;
    const rule = line.trim();
    const end = findLine(this.text, next, (other) => other.trim() === rule);
    if (end === undefined) {
      this.rulesWithoutEnd++;
      return undefined;
    }
    this.take(next, end, 'rule');
    return lineEnd(this.text, end) + 1;
  }

  private labelAt(line: string, at: number, next: number): number | undefined {
    const level = headingLevel(line);
    if (MAY_BE_LABEL.test(line)) {
      const label = labelOf(line);
      const begins = beginsDocument(label) || (isBracketed(line) && isLikelyLabel(label));
      const endMark = begins ? this.endMarkFrom(next) : undefined;
      if (endMark !== undefined) {
        this.take(next, endMark, 'label');
        return lineEnd(this.text, endMark) + 1;
      }
      if (begins || isLabel(line, label, level)) {
        if (this.opensOther(next)) return undefined;
        const end = this.extent(next, level);
        this.take(next, end, 'label');
        return end;
      }
    }
    if (!/^[A-Za-z*_#]/.test(line) || !isSureLabel(labelBeforeColon(line))) return undefined;
    const end = this.extent(next, level);
    this.take(at + line.indexOf(':') + 1, end, 'label');
    return end;
  }

  private endMarkFrom(at: number): number | undefined {
    if (at >= this.noEndFrom) return undefined;
    const end = findLine(this.text, at, endsHere);
    if (end === undefined) this.noEndFrom = at;
    return end;
  }

  /** True if the next line with words opens a tag, fence, quote or rule, which determines its own end. */
  private opensOther(from: number): boolean {
    const at = findLine(this.text, from, (line) => line.trim() !== '');
    if (at === undefined) return false;
    const end = lineEnd(this.text, at);
    const line = this.text.slice(at, end);
    if (fenceIn(line) !== undefined || isQuoted(line) || isRule(line) || tripleQuoteIn(line) !== undefined)
      return true;
    const tag = this.tagFrom(at);
    return tag !== undefined && tag.start <= end;
  }
}

/** True if the line is a label that introduces a document. */
function isLabel(line: string, label: string, level: number): boolean {
  const hasColon = endsWithColon(line);
  if ((hasColon || isDecorated(line)) && (level > 0 ? isSureLabel(label) : isLikelyLabel(label))) return true;
  return hasColon && !saysExample(line) && announcesDocument(line);
}

/** True if the words before a quote announce an example, or the developer's own wording. */
function isShown(before: string): boolean {
  return saysExample(before) || saysShown(before) || isOwnLabel(labelOf(before));
}
