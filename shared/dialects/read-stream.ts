import { createParser } from 'eventsource-parser';
import type { SlotRole } from '../text/index.ts';
import type { BodyReading } from './dialect.ts';
import { joinTexts, type Piece } from './join-texts.ts';
import { readContent } from './read-blocks.ts';
import { readMember } from './read-body.ts';
import { readData, readSealed } from './read-media.ts';
import { collectTokens, type Tokens } from './read-tokens.ts';
import { isMembers, type Members, Reading, readLeaves } from './reading.ts';
import { CALL_MEMBERS, LABELS, SEALED_MEMBERS } from './roles.ts';
import { isKnownValue, KNOWN_NAMES } from './vocabulary.ts';

/**
 * The whole text of an event stream of any of the three families. Deltas are joined per choice, block or item;
 * texts that `done` and `completed` events repeat are read once; frames that are not JSON, unknown events, comments
 * and whatever stands outside of frames are read all the same.
 */
export function readStream(body: string): BodyReading {
  const stream: Stream = {
    rest: new Reading(),
    root: newStrand('metadata'),
    labels: new Set(),
    tokens: { said: '', others: new Set() },
    model: null,
  };
  let text = body.charCodeAt(0) === 0xfeff ? body.slice(1) : body;
  // One kind of line end: the parser looks for the others anew on every line, which a hostile stream makes slow.
  if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
  readOtherLines(stream, text);
  const parser = createParser({ onEvent: (event) => readFrame(stream, event.data) });
  parser.feed(text);
  // A stream that broke off: what is left counts as a frame.
  parser.feed('\n\n');
  return finish(stream);
}

interface Stream {
  /** What is complete in its frame. */
  readonly rest: Reading;
  readonly root: Strand;
  /** Ids, names and the like, each once. */
  readonly labels: Set<string>;
  readonly tokens: Tokens;
  model: string | null;
}

/** A text that arrives in pieces, and the strands below it. */
interface Strand {
  readonly role: SlotRole;
  text: string;
  inner: Map<string | number, Strand> | null;
}

function newStrand(role: SlotRole): Strand {
  return { role, text: '', inner: null };
}

function strandOf(strand: Strand, name: string | number, role: SlotRole): Strand {
  strand.inner ??= new Map();
  let inner = strand.inner.get(name);
  if (inner === undefined) {
    inner = newStrand(role);
    strand.inner.set(name, inner);
  }
  return inner;
}

/** Lines that carry no data: event names, ids, comments, and what no client would look at. */
function readOtherLines(stream: Stream, text: string): void {
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    if (end > start && !text.startsWith('data:', start)) {
      const line = text.slice(start, end);
      const value = line.startsWith('event: ') ? line.slice(7) : line;
      if (!isKnownValue(value) && value !== ':') stream.labels.add(line);
    }
    start = end + 1;
  }
}

function readFrame(stream: Stream, data: string): void {
  if (data === '[DONE]') return;
  let frame: unknown;
  try {
    frame = JSON.parse(data);
  } catch {
    strandOf(stream.root, 'data', 'assistant').text += data;
    return;
  }
  if (!isMembers(frame)) {
    readLeaves(stream.rest, frame, '#stream:', 'assistant');
    return;
  }
  const type = typeof frame['type'] === 'string' ? frame['type'] : '';
  for (const name in frame) {
    const value = frame[name];
    if (!KNOWN_NAMES.has(name)) {
      stream.labels.add(name);
      readDelta(stream, strandOf(stream.root, name, 'assistant'), value, 0);
    } else if (name === 'choices' && Array.isArray(value)) readChoices(stream, value);
    else if (name === 'delta') readDelta(stream, strandOfDelta(stream, frame, type), value, 0);
    else if (name === 'content_block') readBlockStart(stream, frame, value);
    else if (name === 'logprobs') collectTokens(stream.tokens, value);
    else if (typeof value === 'string') readFrameString(stream, name, value, type);
    else if (typeof value === 'object' && value !== null) readFrameMember(stream, name, value);
  }
}

function readFrameString(stream: Stream, name: string, value: string, type: string): void {
  if (name === 'model') stream.model ??= value;
  if (FULL_TEXTS.has(name)) stream.rest.text(`#stream:/${name}`, roleOfEvent(type), value);
  else if (name === 'partial_image_b64') readData(stream.rest, value, `#stream:/${name}`, 'image/png');
  else if (!isKnownValue(value)) stream.labels.add(value);
}

/** Members of `done` events that hold a whole text. */
const FULL_TEXTS: ReadonlySet<string> = new Set([
  'text',
  'refusal',
  'arguments',
  'input',
  'code',
  'transcript',
  'command',
  'output',
  'completion',
  'content',
]);

function readFrameMember(stream: Stream, name: string, value: object): void {
  if (name === 'message' || name === 'response') {
    const model = (value as Members)['model'];
    if (typeof model === 'string') stream.model ??= model;
  }
  readMember(stream.rest, name, value, `#stream:/${name}`);
}

function readChoices(stream: Stream, choices: readonly unknown[]): void {
  const all = strandOf(stream.root, 'choices', 'assistant');
  for (let i = 0; i < choices.length; i++) {
    const choice = choices[i];
    if (!isMembers(choice)) {
      readLeaves(stream.rest, choice, '#stream:/choices', 'assistant');
      continue;
    }
    const index = typeof choice['index'] === 'number' ? choice['index'] : i;
    const strand = strandOf(all, index, 'assistant');
    for (const name in choice) {
      const value = choice[name];
      if (name === 'delta') readDelta(stream, strand, value, 0);
      else if (name === 'logprobs') collectTokens(stream.tokens, value);
      else if (name === 'message') readMember(stream.rest, name, value, `#stream:/choices/${index}/message`);
      else readDeltaMember(stream, strand, name, value, 0);
    }
  }
}

/** The strand that a frame's `delta` belongs to. */
function strandOfDelta(stream: Stream, frame: Members, type: string): Strand {
  const index = frame['index'];
  if (type === '' || type === 'content_block_delta') {
    return typeof index === 'number'
      ? strandOf(strandOf(stream.root, 'content', 'assistant'), index, 'assistant')
      : strandOf(stream.root, 'delta', 'assistant');
  }
  let strand = strandOf(stream.root, type, roleOfEvent(type));
  for (const place of ['output_index', 'content_index', 'summary_index', 'command_index'] as const) {
    const at = frame[place];
    if (typeof at === 'number') strand = strandOf(strand, at, strand.role);
  }
  return type.endsWith('audio.delta') ? strandOf(strand, 'data', strand.role) : strand;
}

function roleOfEvent(type: string): SlotRole {
  if (/output_content|call_output/.test(type)) return 'tool_result';
  return /arguments|_call|_code|command/.test(type) ? 'tool_call' : 'assistant';
}

function readBlockStart(stream: Stream, frame: Members, block: unknown): void {
  const index = typeof frame['index'] === 'number' ? frame['index'] : 0;
  readContent(stream.rest, block, `#stream:/content/${index}`, 'assistant');
  if (!isMembers(block)) return;
  const strand = strandOf(strandOf(stream.root, 'content', 'assistant'), index, 'assistant');
  for (const name of ['text', 'thinking'] as const) {
    if (typeof block[name] === 'string') strandOf(strand, name, 'assistant').text += block[name];
  }
}

const MAX_DELTA_DEPTH = 100;

function readDelta(stream: Stream, strand: Strand, value: unknown, depth: number): void {
  if (typeof value === 'string') {
    strand.text += value;
  } else if (typeof value !== 'object' || value === null) {
    return;
  } else if (depth > MAX_DELTA_DEPTH) {
    readLeaves(stream.rest, value, '#stream:/delta', strand.role);
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      const index = isMembers(item) && typeof item['index'] === 'number' ? item['index'] : i;
      readDelta(stream, strandOf(strand, index, strand.role), item, depth + 1);
    }
  } else {
    for (const name in value) readDeltaMember(stream, strand, name, (value as Members)[name], depth + 1);
  }
}

function readDeltaMember(stream: Stream, strand: Strand, name: string, value: unknown, depth: number): void {
  if (!KNOWN_NAMES.has(name)) stream.labels.add(name);
  if (typeof value === 'string') {
    if (LABELS.has(name)) {
      if (!isKnownValue(value)) stream.labels.add(value);
    } else strandOf(strand, name, CALL_MEMBERS.has(name) ? 'tool_call' : strand.role).text += value;
  } else if (name === 'citation' || name === 'annotations') {
    readLeaves(stream.rest, value, `#stream:/${name}`, 'document');
  } else if (typeof value === 'object' && value !== null) {
    readDelta(
      stream,
      strandOf(strand, name, CALL_MEMBERS.has(name) ? 'tool_call' : strand.role),
      value,
      depth,
    );
  }
}

function finish(stream: Stream): BodyReading {
  const out = new Reading();
  finishStrand(out, stream.root, '#stream:', '', 0);
  const seen = new Map<SlotRole, Set<string>>();
  const isNew = (role: SlotRole, text: string): boolean => {
    let texts = seen.get(role);
    if (texts === undefined) {
      texts = new Set();
      seen.set(role, texts);
    }
    return texts.size !== texts.add(text).size;
  };
  for (const slot of out.slots) isNew(slot.role, slot.text);
  const { said, others } = stream.tokens;
  if (said !== '' && isNew('assistant', said))
    out.slots.push({ path: '#stream:/logprobs', role: 'assistant', text: said });
  for (const other of others) stream.labels.add(other);
  let count = 0;
  for (const slot of stream.rest.slots) {
    if (slot.role === 'metadata') stream.labels.add(slot.text);
    // Paths repeat from frame to frame; the number keeps them apart.
    else if (isNew(slot.role, slot.text)) out.slots.push({ ...slot, path: `${slot.path}#${count++}` });
  }
  if (stream.labels.size > 0) {
    out.slots.push({ path: '#stream:labels', role: 'metadata', text: [...stream.labels].join('\n') });
  }
  out.unscanned.push(...stream.rest.unscanned);
  return { slots: out.slots, unscanned: out.unscanned, model: stream.model, stream: true };
}

function finishStrand(out: Reading, strand: Strand, path: string, name: string, depth: number): void {
  if (strand.text !== '') {
    if (SEALED_MEMBERS.has(name)) readSealed(out, strand.text, path, strand.role);
    else if (name === 'data' && depth > 1) readData(out, strand.text, path, 'audio/');
    else out.text(path, strand.role, strand.text);
  }
  if (strand.inner === null) return;
  const pieces: Piece[] = [];
  for (const [key, inner] of strand.inner) {
    const innerPath = `${path}/${key}`;
    finishStrand(out, inner, innerPath, String(key), depth + 1);
    const text = typeof key === 'number' ? (inner.inner?.get('text')?.text ?? inner.text) : '';
    if (text !== '' && inner.role === 'assistant') pieces.push({ path: innerPath, text });
  }
  joinTexts(out, pieces, path, strand.role);
}
