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
import { createNext, findLine, lineEnd } from './lines.ts';
import { type TagRange, tagRanges } from './tag-ranges.ts';

/** A stretch of a text that is marked as a document: something its author only wants to be read. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  /** What marks it. */
  readonly by: 'tag' | 'fence' | 'quote' | 'rule' | 'label';
}

/** Shorter than anything worth reading. */
const MIN_PASSAGE = 8;
/** Lines of prose mark nothing: a mark begins with a sign or a word that opens a document, or has one of MARKS. */
const MAY_OPEN = /^\s*[`~>"'\u201c[#*_=+<\\-]|^[\s\W_]*(?:begin|start)/i;
const MARKS = [':', '"""', "'''"] as const;
/** What is no sentence: it begins as a decorated line does, or with the word that a document begins, or ends in a colon. */
const MAY_BE_LABEL = /^\s*(?:[*_=[<-]|\\?#)|^[\W_]*(?:begin|start)|:\s*$/i;
/** Each is looked for up to the end of the text. */
const MAX_RULES_WITHOUT_END = 16;
/** Names of no programming language. */
const PLAIN_FENCE = /^(?:te?xt|plain|plaintext|none|quote|e?mail|html|csv|tsv|document|context)?$/i;

/**
 * Stretches that are marked as documents by tags, fences, quotes, rules or labels; in order and apart. The outermost
 * mark counts: what lies in a document belongs to it, what lies in an example is the developer's. Linear.
 */
export function markedPassages(text: string): Passage[] {
  return new PassageScanner(text).run();
}

/** Reads a text line by line. What a mark encloses is taken whole, and reading continues after it. */
class PassageScanner {
  private readonly text: string;
  private readonly tags: readonly TagRange[];
  private readonly passages: { start: number; end: number; by: Passage['by'] }[] = [];
  private nextTag = 0;
  /** The last line before with words in it. */
  private lead = '';
  /** Which of the passages is the last fenced one. */
  private lastFence = -1;
  /** Where the line that is being read ends: a line may be read in several steps. */
  private end = -1;
  /** Marks of fences that no line closes from here on. */
  private readonly unclosed = new Set<string>();
  private rulesWithoutEnd = 0;
  /** From here on no line ends a document. */
  private noEndFrom = Number.POSITIVE_INFINITY;
  private readonly nextMarks: readonly ((from: number) => number)[];

  constructor(text: string) {
    this.text = text;
    this.nextMarks = MARKS.map((mark) => createNext(text, mark));
    this.tags = tagRanges(text);
  }

  run(): Passage[] {
    const { text } = this;
    for (let at = 0; at < text.length; ) at = this.readLine(at);
    return this.passages.filter(({ start, end }) => end - start >= MIN_PASSAGE);
  }

  /** Returns where to continue. */
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
    if (!MAY_OPEN.test(line) && !this.nextMarks.some((nextFrom) => nextFrom(at) < end)) {
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

  /** The outermost tag range that begins at `at` or later. */
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
      // one too many: what seemed closed before was not
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
   * Code is shown, as are examples and what a heading names; a fence that is announced, or has no language, holds a
   * document.
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

  /** A document between two equal rules, after words that announce it. */
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

  /** Whether the next line with words opens a tag, fence, quote or rule, which then says itself where it ends. */
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

/** Whether a line of its own introduces a document. */
function isLabel(line: string, label: string, level: number): boolean {
  const hasColon = endsWithColon(line);
  if ((hasColon || isDecorated(line)) && (level > 0 ? isSureLabel(label) : isLikelyLabel(label))) return true;
  return hasColon && !saysExample(line) && announcesDocument(line);
}

/** Whether the words before a quote say that it is an example, or the developer's own wording. */
function isShown(before: string): boolean {
  return saysExample(before) || saysShown(before) || isOwnLabel(labelOf(before));
}
