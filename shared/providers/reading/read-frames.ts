import { createParser } from 'eventsource-parser';
import { finish, type SlotRole } from '../../text/index.ts';
import type { FrameReader, FrameTexts, Growth } from '../wire-format.ts';
import { EVERY } from './append-delta.ts';
import { textBetween } from './frame-template.ts';
import { readFrame } from './read-frame.ts';
import { isOpaque } from './read-media.ts';
import { joinedPart, newStream, readOtherLines } from './read-stream.ts';
import { newTokens } from './read-tokens.ts';
import type { Rules } from './rules.ts';
import type { Accumulator, Stream } from './stream-accumulators.ts';
import { TextCollector } from './text-collector.ts';

/** More texts are not distinguished frame by frame, because searching them takes time. */
const MAX_TEXTS = 64;
/** Number of preceding characters of labels that are read again with new ones. */
const LABELS_BEFORE = 200;

export const createFrameReader = (rules: Rules): FrameReader => new TableFrameReader(rules);

/** The known length of a text, which is identified by its number. */
interface KnownText {
  readonly text: number;
  length: number;
  /** A frame has repeated it as a whole. */
  hasEnded: boolean;
}

/** The JSON before and after the only text of a frame. */
interface Around {
  readonly head: string;
  readonly tail: string;
  readonly accumulator: Accumulator;
  readonly known: KnownText;
}

class TableFrameReader implements FrameReader {
  private readonly labels = new NotedTexts();
  private readonly identifiers = new NotedTexts();
  private readonly others = new NotedTexts();
  private readonly stream: Stream;
  private readonly rules: Rules;
  private readonly parser = createParser({ onEvent: (event) => finish(readFrame(this.stream, event.data)) });
  private readonly known = new Map<Accumulator, KnownText>();
  private around: Around | null = null;
  private slots = 0;
  private more = 0;
  private isBroken = false;
  private seams: Seams = new Map();
  private endedBlocks = 0;

  constructor(rules: Rules) {
    const { labels, identifiers, others } = this;
    this.rules = rules;
    this.stream = { ...newStream(rules), labels, identifiers, tokens: newTokens(others) };
  }

  read(text: string): FrameTexts {
    const alike = this.readAlike(text);
    if (alike !== null) return alike;
    const { stream, rules } = this;
    readOtherLines(stream, text);
    this.parser.feed(text);
    this.seams = seamsIn(stream.root);
    if (stream.closing === null) this.endedBlocks = Math.max(stream.blocks, stream.ended);
    const grown: Growth[] = [];
    visit(stream.root, (one, name) => {
      const rule = rules.members.get(name);
      if (rule?.as === 'sealed' && rule.isOwn) this.readSealed(one, grown);
      else this.grow(one.role, one, one.text, grown);
    });
    this.grow('assistant', TOKENS, stream.tokens.text, grown);
    this.around = this.aroundOf(text, grown);
    const before = this.more;
    this.more = sizeOfMore(stream.rest);
    const isMore =
      this.isBroken ||
      this.stream.isRepeating ||
      stream.tokens.bytes.length > 0 ||
      this.more !== before ||
      this.known.size > MAX_TEXTS ||
      stream.byIndex !== null ||
      stream.isInterleaved ||
      hasEvery(stream.root);
    return { grown, whole: this.takeWhole(), isMore, isAlike: false, thoughts: this.takeThoughts() };
  }

  readWhole(role: SlotRole, text: string): Pick<FrameTexts, 'whole' | 'isMore'> {
    const collector = new TextCollector(this.rules);
    finish(collector.text('', role, text));
    return { whole: collector.slots, isMore: sizeOfMore(collector) > 0 };
  }

  /** Fast path: most frames of most providers differ from the previous one in one text alone. */
  private readAlike(text: string): FrameTexts | null {
    const { around } = this;
    const piece = around === null ? null : textBetween(around.head, around.tail, text);
    if (around === null || piece === null) return null;
    const { accumulator, known } = around;
    accumulator.text += piece;
    known.length += piece.length;
    const { role } = accumulator;
    const grown = piece === '' ? [] : [{ text: known.text, role, piece, ...thoughtOf(accumulator) }];
    return { grown, whole: [], isMore: false, isAlike: true, thoughts: NO_THOUGHTS };
  }

  /** Returns the JSON around the only text of the last frame. */
  private aroundOf(frame: string, grown: readonly Growth[]): Around | null {
    const { template } = this.stream;
    const known = template === null ? undefined : this.known.get(template.accumulator);
    if (template === null || known === undefined || grown.length !== 1) return null;
    const { head, tail, accumulator } = template;
    const data = `${head}${grown[0]!.piece}${tail}`;
    const at = frame.indexOf(data);
    if (at === -1) return null;
    return {
      ...{ head: frame.slice(0, at) + head, tail: tail + frame.slice(at + data.length) },
      ...{ accumulator, known },
    };
  }

  private grow(role: SlotRole, key: Accumulator, text: string, grown: Growth[]): void {
    let one = this.known.get(key);
    if (one === undefined) {
      if (text === '') return;
      one = { text: this.known.size, length: 0, hasEnded: false };
      this.known.set(key, one);
    }
    if (text.length === one.length) return;
    const { added } = this.stream;
    const isLast = added.accumulator === key && text.length - added.text.length === one.length;
    // A slice joins all pieces of the text.
    const piece = isLast ? added.text : text.slice(one.length);
    grown.push({ text: one.text, role, piece, ...this.seamOf(key), ...thoughtOf(key) });
    one.length = text.length;
  }

  private seamOf(key: Accumulator): Pick<Growth, 'behind'> {
    const seam = this.seams.get(key);
    if (seam === undefined) return NOTHING;
    const before = seam.before === null ? undefined : this.known.get(seam.before);
    this.isBroken ||= before?.hasEnded !== true && seam.place > this.endedBlocks;
    return { behind: before?.text ?? null };
  }

  /** Encrypted as a whole; nothing is reported for one that continues. */
  private readSealed(one: Accumulator, grown: Growth[]): void {
    const { known } = this;
    const before = known.get(one);
    if (before === undefined && isOpaque(one.text))
      known.set(one, { text: known.size, length: one.text.length, hasEnded: true });
    else if (before === undefined) this.grow(one.role, one, one.text, grown);
    else this.isBroken ||= before.length !== one.text.length;
  }

  /** True if earlier frames brought this text in pieces, because some frames repeat the whole text at its end. */
  private cameInPieces(role: SlotRole, text: string): boolean {
    // Then nothing is distinguished any more.
    if (this.known.size > MAX_TEXTS) return false;
    for (const [one, known] of this.known) {
      if (known.length !== text.length || one.role !== role || one.text !== text) continue;
      known.hasEnded = true;
      return true;
    }
    return false;
  }

  /** Returns what the model thinks in the last frames, apart from deltas. */
  private takeThoughts(): readonly string[] {
    const { thoughts } = this.stream.rest;
    return thoughts.splice(0).map((path) => path.replace(/^#stream:/, ''));
  }

  /** Returns the texts that are complete in the last frames. */
  private takeWhole(): FrameTexts['whole'] {
    const { identifiers, labels, others } = this;
    const { slots } = this.stream.rest;
    const added = slots.slice(this.slots);
    this.slots = slots.length;
    for (const { role, text } of added) {
      if (role === 'identifier') identifiers.add(text);
      else if (FILED.has(role)) labels.add(text);
    }
    return [
      ...added.filter(({ role, text }) => !FILED.has(role) && !this.cameInPieces(role, text)),
      ...identifiers.take('identifier'),
      ...labels.take('other'),
      ...others.take('other'),
    ];
  }
}

/** A set of texts that also returns those added since the last call. */
class NotedTexts extends Set<string> {
  private fresh: string[] = [];
  private before = '';

  override add(text: string): this {
    if (!this.has(text)) this.fresh.push(text);
    return super.add(text);
  }

  take(role: SlotRole): FrameTexts['whole'] {
    if (this.fresh.length === 0) return [];
    const text = `${this.before}${this.fresh.join('\n')}`;
    this.before = `${text.slice(-LABELS_BEFORE)}\n`;
    this.fresh = [];
    return [{ role, text }];
  }
}

const NO_THOUGHTS: readonly string[] = [];
const thoughtOf = ({ isThought }: Accumulator): Pick<Growth, 'isThought'> =>
  isThought === true ? { isThought } : NOTHING;

const TOKENS: Accumulator = { role: 'assistant', text: '', inner: null };
/** Roles that are read with the labels and identifiers of the stream. */
const FILED: ReadonlySet<SlotRole> = new Set(['identifier', 'other', 'metadata']);

function visit(
  accumulator: Accumulator,
  each: (accumulator: Accumulator, name: string) => void,
  name: string | number = '',
): void {
  each(accumulator, String(name));
  if (accumulator.inner === null) return;
  for (const [inside, inner] of accumulator.inner) visit(inner, each, inside);
}

/** Returns the size of everything that is neither text nor encrypted by the provider. */
function sizeOfMore({ unscanned, files, overflow }: Stream['rest']): number {
  return unscanned.filter(({ mayHold }) => mayHold !== 'none').length + files.length + overflow.length;
}

/** For each text that clients show after another one: the accumulator of that one; null if it may still appear. */
type Seams = ReadonlyMap<Accumulator, { readonly before: Accumulator | null; readonly place: number }>;
const NOTHING = {};

function seamsIn(root: Accumulator): Seams {
  const seams = new Map<Accumulator, { before: Accumulator | null; place: number }>();
  visit(root, ({ inner }) => {
    if (inner === null) return;
    let before: Accumulator | null = null;
    for (const [place, part] of partsIn(inner)) {
      if (before !== null || mayGrow(inner, place)) seams.set(part, { before, place });
      before = part;
    }
  });
  return seams;
}

/** True if there are items that clients may join regardless of their positions. */
function hasEvery(root: Accumulator): boolean {
  let found = false;
  visit(root, ({ inner }) => {
    found ||= inner?.has(EVERY) === true;
  });
  return found;
}

function partsIn(inner: ReadonlyMap<string | number, Accumulator>): [number, Accumulator][] {
  const parts: [number, Accumulator][] = [];
  for (const [place, one] of inner) {
    const part = typeof place === 'number' ? joinedPart(one) : null;
    if (part !== null) parts.push([place as number, part]);
  }
  return parts;
}

/** True if a text may appear at one of the first positions, to be joined with later ones. */
function mayGrow(inner: ReadonlyMap<string | number, Accumulator>, places: number): boolean {
  if (places > MAX_TEXTS) return true;
  for (let place = 0; place < places; place++) {
    const members = inner.get(place)?.inner;
    if (members?.has('thinking') !== true && members?.has('reasoningContent') !== true) return true;
  }
  return false;
}
