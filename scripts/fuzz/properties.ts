import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decide, scan } from '../../shared/detection/index.ts';
import {
  EVENT_STREAM,
  type ExtractedBody,
  formatByName,
  formatOf,
  replacementsByPath,
  type WireFormat,
  writeTexts,
} from '../../shared/providers/index.ts';
import { BodyError, parseStrictJson, type Replacement } from '../../shared/text/index.ts';
import { Draw, markOf, oddJson } from '../../test/conformance/marked-texts.ts';
import { requestsOf, responsesOf } from '../../test/conformance/provider-bodies.ts';
import { plain } from '../../test/support/canary-template.ts';
import { SAMPLES, type Samples } from '../../test/support/provider-samples.ts';
import { projectRuleset } from '../detector/evaluate.ts';
import { readAsClient } from './client-readers.ts';
import { leavesOfSource, stringsOf, unseenOf } from './leaves.ts';
import { longLists } from './long-lists.ts';
import { damage, mutate } from './mutate.ts';
import { inPackets, spellEvent } from './sse-spelling.ts';

export interface FuzzProperty {
  readonly name: string;
  /** Of all cases, the share that this one gets. */
  readonly share: number;
  readonly property: fc.IAsyncProperty<unknown[]> | fc.IProperty<unknown[]>;
}

type Body = Record<string, unknown>;

const numbers = fc.array(fc.nat({ max: 5_039 }), { minLength: 12, maxLength: 200 });
const times = fc.nat({ max: 8 });
const streamed = SAMPLES.filter(({ frames }) => frames.length > 0);

const documented = (kind: 'requests' | 'response'): Body[] =>
  SAMPLES.flatMap((samples) => (kind === 'response' ? [samples.response] : samples.requests)).map(
    (template) => plain(template) as Body,
  );

/** One format, and a body of any of them: as documented or grown by the grammar, then changed. */
const bodiesOf = (kind: 'requests' | 'response') => {
  const known = documented(kind);
  return fc.constantFrom(...SAMPLES).chain(({ endpoint }) =>
    fc
      .tuple(
        fc.oneof(
          (kind === 'response' ? responsesOf(endpoint.name) : requestsOf(endpoint.name)).map(
            ({ value }) => value,
          ),
          fc.constantFrom(...known),
        ),
        numbers,
        times,
      )
      .map(([body, drawn, count]) => {
        const d = new Draw(drawn);
        // Marks of the grammar's own are counted from nought.
        d.marks = 1_000;
        return { name: endpoint.name, source: oddJson(mutate(body, d, count), drawn), drawn };
      }),
  );
};

/** The body as the service reads it; nothing where it is refused, as documented. */
function accepted<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof BodyError) return null;
    throw error;
  }
}

function holdSeen(leaves: Iterable<string>, reading: ExtractedBody, where: string): void {
  const unseen = unseenOf(leaves, reading);
  assert.equal(unseen.length, 0, `no slot holds what ${where} says: ${JSON.stringify(unseen.slice(0, 3))}`);
}

const requests = fc.property(bodiesOf('requests'), fc.boolean(), ({ name, source, drawn }, isDamaged) => {
  const format = formatByName(name);
  const sent = isDamaged ? damage(source, new Draw(drawn)).toWellFormed() : source;
  const body = accepted(() => parseStrictJson(Buffer.from(sent)));
  if (body === null) return;
  const reading = accepted(() => format.readRequest(body.value));
  if (reading === null) return;
  holdSeen(stringsOf(JSON.parse(sent)), reading, 'the request');
  holdSeen(leavesOfSource(sent), reading, 'the request to a parser that keeps doubles');
  holdMasked(format, body.source, reading, markOf((drawn[0] ?? 0) % 40));
});

/** What is masked is gone for every parser of what goes out, and nothing else is. */
function holdMasked(format: WireFormat, source: string, reading: ExtractedBody, mark: string): void {
  const byIndex = new Map<number, Replacement[]>();
  for (const [i, { text }] of reading.slots.entries()) {
    const found: Replacement[] = [];
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
      found.push({ start: at, end: at + mark.length, text: '[EMAIL]' });
    }
    if (found.length > 0) byIndex.set(i, found);
  }
  const replacements = replacementsByPath(reading.slots, byIndex);
  // The service answers with an error then, and forwards nothing.
  if ([...replacements.keys()].some((path) => path.startsWith('#'))) return;
  const written = writeTexts(source, replacements);
  const left = [...leavesOfSource(written)].filter((leaf) => leaf.includes(mark));
  assert.equal(left.length, 0, `${mark} was masked and is still sent: ${JSON.stringify(left[0])}`);
  const again = format.readRequest(parseStrictJson(Buffer.from(written)).value);
  assert.ok(!again.slots.some(({ text }) => text.includes(mark)), `${mark} was masked and is still read`);
}

const responses = fc.property(bodiesOf('response'), ({ name, source }) => {
  const body = accepted(() => parseStrictJson(Buffer.from(source)));
  if (body === null) return;
  holdSeen(leavesOfSource(source), formatByName(name).readResponse(body.value), 'the answer');
});

/** An event as its provider's streams spell it. */
const spelledFor = ({ endpoint }: Samples, d: Draw, data: string, event?: string): string =>
  formatOf(endpoint).streamType === EVENT_STREAM ? spellEvent(d, data, event) : `${data}\n`;

const streams = fc.asyncProperty(
  fc.constantFrom(...streamed),
  numbers,
  fc.array(fc.tuple(fc.nat(), times), { minLength: 1, maxLength: 8 }),
  async (samples, drawn, picks) => {
    const d = new Draw(drawn);
    const { endpoint, frames } = samples;
    const isMutated = d.below(2) === 0;
    const sources: string[] = [];
    const spelled = picks.map(([pick, count]) => {
      const { event, data: template } = frames[pick % frames.length]!;
      const data = plain(template) as Body;
      const changed = isMutated ? mutate(data, d, count) : data;
      const source =
        d.below(5) === 0 ? oddJson(changed, drawn).replace(/[\r\n]/g, ' ') : JSON.stringify(changed);
      sources.push(source);
      return spelledFor(samples, d, source, event);
    });
    const text = `${d.below(9) === 0 ? '\ufeff' : ''}${spelled.join('')}`;
    const reading = formatOf(endpoint).readStream(text);
    for (const source of sources) holdSeen(leavesOfSource(source), reading, 'an event');
    const client = await readAsClient(endpoint.name, inPackets(d, text));
    if (client === null) return;
    const { events, whole } = client;
    holdSeen(stringsOf(events), reading, 'an event that the provider’s package hands over');
    // From shapes that are not their provider's the packages make `a,b` and `[object Object]`, which are not in the body.
    if (!isMutated) holdSeen(stringsOf(whole), reading, 'the whole of the events');
  },
);

/** Put together here so that no key-like text is in the repository. */
const SECRET = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
const ruleset = projectRuleset();

const splits = fc.asyncProperty(
  fc.constantFrom(...streamed),
  numbers,
  fc.array(fc.integer({ min: 1, max: SECRET.length - 1 }), { minLength: 1, maxLength: 6 }),
  async (samples, drawn, cuts) => {
    const d = new Draw(drawn);
    const { endpoint } = samples;
    const texts = [...samples.pieces];
    const [name, { frame: frameOf, opening: opensIt }] = texts[d.below(texts.length)]!;
    const [, { frame: otherOf }] = texts[d.below(texts.length)]!;
    const opening = d.below(2) === 0 ? opensIt : null;
    const at = [...new Set([0, ...cuts, SECRET.length])].sort((a, b) => a - b);
    const pieces = at.slice(1).map((end, i) => SECRET.slice(at[i], end));
    const isEvents = formatOf(endpoint).streamType === EVENT_STREAM;
    let text = '';
    const send = (frame: { readonly event?: string; readonly data: unknown }): void => {
      text += spelledFor(samples, d, JSON.stringify(plain(frame.data as never)), frame.event);
    };
    for (const [i, piece] of pieces.entries()) {
      send(i === 0 && opening !== null ? opening(piece) : frameOf(piece));
      // Another text that the model writes meanwhile, or a sign of life.
      if (d.below(3) === 0 && otherOf !== frameOf) send(otherOf(' so '));
      if (isEvents && d.below(5) === 0) text += ': still here\n\n';
    }
    if (isEvents) text += 'data: [DONE]\n\n';
    const { slots } = formatOf(endpoint).readStream(text);
    const where = `${name}${opening === null ? '' : ' with its opening'}, cut as ${pieces.map((piece) => piece.length).join(' ')}`;
    assert.ok(
      slots.some((slot) => slot.text.includes(SECRET)),
      `no slot holds the secret of ${where}`,
    );
    const { decision } = decide(scan(slots, ruleset, 'output'), ruleset, 'output');
    assert.notEqual(decision, 'allow', `the secret of ${where} is let out`);
  },
);

export const FUZZ: readonly FuzzProperty[] = [
  { name: 'requests', share: 0.45, property: requests },
  { name: 'answers', share: 0.2, property: responses },
  { name: 'streams', share: 0.15, property: streams },
  { name: 'split secrets', share: 0.2, property: splits },
  { name: 'long lists', share: 0.002, property: longLists },
] as readonly FuzzProperty[];
