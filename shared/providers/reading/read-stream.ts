import { createParser } from 'eventsource-parser';
import { conversationOf, pausing, type SlotRole, type Steps, withSlots } from '../../text/index.ts';
import type { ExtractedBody, SignedBlock, Source } from '../wire-format.ts';
import { joinTexts, type Piece } from './join-texts.ts';
import { readResponse } from './read-body.ts';
import { readFrame, readFrameValue } from './read-frame.ts';
import { readData, readEncrypted } from './read-media.ts';
import { newTokens, spelledBy } from './read-tokens.ts';
import type { Rules } from './rules.ts';
import { type Accumulator, newAccumulator, type Stream } from './stream-accumulators.ts';
import { TextCollector } from './text-collector.ts';

/**
 * Reads the whole text of a stream. Deltas are joined where the format's table says so, otherwise by the names of their
 * members; texts that later frames repeat are read once; frames that are not JSON, unknown events, comments and lines
 * outside of frames are read too.
 */
export function* readStream(body: string, rules: Rules): Steps<ExtractedBody> {
  const stream = newStream(rules);
  yield* readAll(stream, body);
  const read = yield* finish(stream);
  if (!stream.isRepeating) return read;
  // The texts of a client that takes the first of repeated members are joined from other pieces.
  const other = newStream(rules, true);
  yield* readAll(other, body);
  const known = new Set(read.slots.map(({ text }) => text));
  const added = (yield* finish(other)).slots.filter(({ text }) => !known.has(text));
  return {
    ...read,
    ...withSlots(
      read,
      added.map((slot) => ({ ...slot, path: `${slot.path}#first` })),
    ),
  };
}

function* readAll(stream: Stream, body: string): Steps<void> {
  const { rules } = stream.rest;
  let text = body.charCodeAt(0) === 0xfeff ? body.slice(1) : body;
  // Normalizes line ends: the parser would search for the others again on every line, slowly in a hostile stream.
  if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
  if (rules.framing === 'lines') {
    for (const line of text.split('\n')) {
      if (line.trim() !== '') yield* readFrame(stream, line);
      yield;
    }
  } else {
    yield* pausing(piecesOf(text), (piece) => readOtherLines(stream, piece), 1);
    const frames: string[] = [];
    const parser = createParser({ onEvent: ({ data }) => frames.push(data) });
    for (const piece of piecesOf(text)) {
      parser.feed(piece);
      yield* readFrames(stream, frames);
    }
    // In a truncated stream the rest counts as a frame.
    parser.feed('\n\n');
    yield* readFrames(stream, frames);
  }
}

function* readFrames(stream: Stream, frames: string[]): Steps<void> {
  for (const data of frames.splice(0)) yield* readFrame(stream, data);
  yield;
}

/** Read between two pauses, and on to the end of the line. */
const PIECE = 16_384;

/** Returns the text of a stream in pieces of whole lines: its parser would join a line from pieces slowly. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    const feed = text.indexOf('\n', start + PIECE);
    end = feed === -1 ? text.length : feed + 1;
    yield text.slice(start, end);
  }
}

/** Reads a response that is an array. Some providers send the frames of a stream so: its texts are also joined. */
export function* readListResponse(
  frames: readonly unknown[],
  rules: Rules,
  source: Source = () => '',
): Steps<ExtractedBody> {
  const response = yield* readResponse(frames, rules, source);
  const stream = newStream(rules);
  stream.rest.from(source);
  for (const frame of frames) {
    yield* readFrameValue(stream, frame);
    yield;
  }
  const texts = new Set(response.slots.map(({ text }) => text));
  const joined = (yield* finish(stream)).slots.filter(
    ({ path, text }) => path.startsWith('#stream:/') && !texts.has(text),
  );
  return { ...response, ...withSlots(response, joined) };
}

export function newStream(rules: Rules, takesFirst = false): Stream {
  const root = newAccumulator('assistant');
  return {
    rest: new TextCollector(rules),
    root,
    labels: new Set(),
    identifiers: new Set(),
    tokens: newTokens(),
    model: null,
    blocks: 0,
    ended: 0,
    closing: null,
    isInterleaved: false,
    byIndex: null,
    ...{ takesFirst, isRepeating: false, items: 0 },
    added: { times: 0, accumulator: root, text: '' },
    template: null,
  };
}

/** Reads lines without data: event names, ids, comments, and lines that clients ignore. */
export function readOtherLines(stream: Stream, text: string): void {
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    if (end > start && !text.startsWith('data:', start)) {
      const line = text.slice(start, end);
      const value = line.startsWith('event: ') ? line.slice(7) : line;
      if (!stream.rest.isKnownValue(value) && value !== ':') stream.labels.add(line);
    }
    start = end + 1;
  }
}

function* finish(stream: Stream): Steps<ExtractedBody> {
  const out = new TextCollector(stream.rest.rules);
  yield* finishAccumulator(out, stream.root, '#stream:', '', 0);
  if (stream.byIndex !== null) yield* finishAccumulator(out, stream.byIndex, '#stream:/content', '', 1);
  const isNew = createSeen();
  for (const slot of out.slots) isNew(slot.role, slot.text);
  const { text, others, bytes } = stream.tokens;
  if (text !== '' && isNew('assistant', text))
    out.slots.push({ path: '#stream:/logprobs', role: 'assistant', text });
  if (bytes.length > 0)
    out.slots.push({ path: '#stream:/logprobs~bytes', role: 'assistant', text: spelledBy(bytes) });
  for (const other of others) stream.labels.add(other);
  addRest(stream, out, isNew);
  if (stream.labels.size > 0) {
    out.slots.push({ path: '#stream:labels', role: 'other', text: [...stream.labels].join('\n') });
  }
  if (stream.identifiers.size > 0) {
    const text = [...stream.identifiers].join('\n');
    out.slots.push({ path: '#stream:identifiers', role: 'identifier', text });
  }
  for (const one of stream.rest.unscanned) out.note(one);
  const overflow = stream.rest.overflow + out.overflow;
  if (overflow !== '') out.slots.push({ path: '#overflow', role: 'assistant', text: overflow });
  return {
    ...conversationOf(out.slots, 'assistant'),
    unscanned: out.unscanned,
    files: [...stream.rest.files, ...out.files],
    signed: [...stream.rest.signed, ...out.signed],
    model: stream.model,
    stream: true,
  };
}

/** Returns true if a role's text occurs for the first time. */
type Seen = (role: SlotRole, text: string) => boolean;

function createSeen(): Seen {
  const seen = new Map<SlotRole, Set<string>>();
  return (role, text) => {
    let texts = seen.get(role);
    if (texts === undefined) {
      texts = new Set();
      seen.set(role, texts);
    }
    return texts.size !== texts.add(text).size;
  };
}

/** Adds the texts of frames that do not continue from frame to frame. */
function addRest(stream: Stream, out: TextCollector, isNew: Seen): void {
  let count = 0;
  for (const slot of stream.rest.slots) {
    if (slot.role === 'identifier') stream.identifiers.add(slot.text);
    else if (slot.role === 'other' || slot.role === 'metadata') stream.labels.add(slot.text);
    // Paths repeat from frame to frame; the number makes them unique.
    else if (isNew(slot.role, slot.text)) out.slots.push({ ...slot, path: `${slot.path}#${count++}` });
  }
}

/** Returns the part of a block that clients join with adjacent blocks; null for any thinking block. */
export function joinedPart(block: Accumulator): Accumulator | null {
  if (block.role !== 'assistant' || block.inner?.has('thinking') === true) return null;
  const part = block.inner?.get('text') ?? block;
  return part.text === '' ? null : part;
}

function* finishAccumulator(
  out: TextCollector,
  accumulator: Accumulator,
  path: string,
  name: string,
  depth: number,
): Steps<void> {
  if (accumulator.text !== '') {
    const rule = out.rules.members.get(name);
    if (rule?.as === 'sealed' && rule.isOwn)
      yield* readEncrypted(out, accumulator.text, path, accumulator.role);
    else if (name === 'data' && depth > 1) yield* readData(out, accumulator.text, path, 'audio/', 'media');
    else yield* out.text(path, accumulator.role, accumulator.text);
  }
  if (accumulator.inner === null) return;
  out.signed.push(...signedInPieces(out.rules, accumulator, path, name));
  const pieces: (Piece & { readonly place: number })[] = [];
  for (const [key, inner] of accumulator.inner) {
    const innerPath = `${path}/${key}`;
    yield* finishAccumulator(out, inner, innerPath, String(key), depth + 1);
    const part = joinedPart(inner);
    if (typeof key === 'number' && part !== null)
      pieces.push({ path: innerPath, text: part.text, place: key });
  }
  yield* joinTexts(out, pieces, path, accumulator.role);
  const inPlace = pieces.toSorted((one, other) => one.place - other.place);
  if (inPlace.some((piece, at) => piece !== pieces[at]))
    yield* joinTexts(out, inPlace, `${path}/by place`, accumulator.role);
}

/** Returns a block of a stream that has a signature, or that is a joined thought of its own. */
function signedInPieces(
  { signing, words }: Rules,
  accumulator: Accumulator,
  path: string,
  name: string,
): readonly SignedBlock[] {
  const { inner, role, isThought } = accumulator;
  if (inner === null || role !== 'assistant') return [];
  const seal = signing
    .filter(([, { as }]) => as === 'sealed')
    .map(([member]) => inner.get(member)?.text ?? '')
    .find((text) => text !== '');
  if (seal === undefined && !(isThought === true && name.startsWith('index '))) return [];
  const texts = textsOf(accumulator).filter((text) => !words.values.has(text));
  return [{ path, seal: seal ?? '', texts }];
}

function textsOf({ text, inner }: Accumulator): string[] {
  const below = [...(inner?.values() ?? [])].flatMap(textsOf);
  return text === '' ? below : [text, ...below];
}
