import { createParser } from 'eventsource-parser';
import type { SlotRole } from '../../text/index.ts';
import type { FrameReader, FrameTexts, Growth } from '../wire-format.ts';
import { readFrame } from './read-frame.ts';
import { newStream, readOtherLines } from './read-stream.ts';
import type { Rules } from './rules.ts';
import type { Accumulator, Stream } from './stream-accumulators.ts';

/** More texts are not told apart frame by frame: looking through them takes time. */
const MAX_TEXTS = 64;
/** Of labels this much is read once more with those that follow. */
const LABELS_BEFORE = 200;

export function createFrameReader(rules: Rules): FrameReader {
  const labels = new NotedTexts();
  const identifiers = new NotedTexts();
  const others = new NotedTexts();
  const stream: Stream = { ...newStream(rules), labels, identifiers, tokens: { text: '', others } };
  const parser = createParser({ onEvent: (event) => readFrame(stream, event.data) });
  const known = new Map<Accumulator, { readonly text: number; length: number }>();
  let slots = 0;
  let more = 0;

  function grow(role: SlotRole, key: Accumulator, text: string, grown: Growth[]): void {
    let one = known.get(key);
    if (one === undefined) {
      if (text === '') return;
      one = { text: known.size, length: 0 };
      known.set(key, one);
    }
    if (text.length === one.length) return;
    grown.push({ text: one.text, role, piece: text.slice(one.length) });
    one.length = text.length;
  }

  /** What is complete in the frames that were read last. */
  function takeWhole(): FrameTexts['whole'] {
    const added = stream.rest.slots.slice(slots);
    slots = stream.rest.slots.length;
    for (const { role, text } of added) {
      if (role === 'identifier') identifiers.add(text);
      else if (FILED.has(role)) labels.add(text);
    }
    return [
      ...added.filter(({ role }) => !FILED.has(role)),
      ...identifiers.take('identifier'),
      ...labels.take('other'),
      ...others.take('other'),
    ];
  }

  return {
    read(text) {
      const template = stream.template;
      readOtherLines(stream, text);
      parser.feed(text);
      const grown: Growth[] = [];
      // Most frames of most providers differ from the one before in one text alone.
      if (template !== null && template === stream.template)
        grow(template.accumulator.role, template.accumulator, template.accumulator.text, grown);
      else {
        visit(stream.root, (one) => grow(one.role, one, one.text, grown));
        grow('assistant', TOKENS, stream.tokens.text, grown);
      }
      const { unscanned, files, overflow } = stream.rest;
      const before = more;
      more = unscanned.length + files.length + overflow.length;
      const isMore =
        more !== before || known.size > MAX_TEXTS || stream.byIndex !== null || hasOtherOrder(stream.root);
      return { grown, whole: takeWhole(), isMore };
    },
  };
}

/** Each once, and those that are new since they were taken. */
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

const TOKENS: Accumulator = { role: 'assistant', text: '', inner: null };
/** Read with the labels and identifiers of the stream. */
const FILED: ReadonlySet<SlotRole> = new Set(['identifier', 'other', 'metadata']);

function visit(accumulator: Accumulator, each: (accumulator: Accumulator) => void): void {
  each(accumulator);
  if (accumulator.inner === null) return;
  for (const inner of accumulator.inner.values()) visit(inner, each);
}

/** Items that clients may put together without looking at their places. */
function hasOtherOrder(accumulator: Accumulator): boolean {
  let found = false;
  visit(accumulator, ({ inner }) => {
    found ||= inner !== null && (inner.has('every') || inner.has('no index'));
  });
  return found;
}
