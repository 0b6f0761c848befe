import { parseJson, type SlotRole } from '../../text/index.ts';
import { addByForm, formOf, sizeBesideStrands } from './frame-form.ts';
import { isIdentifier, isIdentifierName } from './identifiers.ts';
import { NUMBER_PARAMETERS } from './numbers.ts';
import { readContent } from './read-blocks.ts';
import { readMember } from './read-body.ts';
import { readData } from './read-media.ts';
import { collectTokens } from './read-tokens.ts';
import { isMembers, type Members, readLeaves } from './reading.ts';
import { CALL_MEMBERS, LABELS } from './roles.ts';
import { beginItem, beginMessage, beginResponse, openBlock, placesIn } from './stream-starts.ts';
import { addTo, type Strand, type Stream, strandOf } from './stream-strands.ts';
import { isKnownValue, KNOWN_NAMES } from './vocabulary.ts';

/** One event's data: deltas go on their strand, whole texts and labels beside. */
export function readFrame(stream: Stream, data: string): void {
  if (data === '[DONE]' || (stream.form !== null && addByForm(stream.form, data))) return;
  stream.form = null;
  let frame: unknown;
  try {
    frame = parseJson(data);
  } catch {
    strandOf(stream.root, 'data', 'assistant').text += data;
    return;
  }
  stream.rest.from(() => data);
  if (!isMembers(frame)) {
    readLeaves(stream.rest, frame, '#stream:', 'assistant');
    return;
  }
  const { added } = stream;
  added.times = 0;
  const size = sizeBesideStrands(stream);
  const isOnlyDelta = readMembers(stream, frame);
  if (isOnlyDelta && added.times === 1 && sizeBesideStrands(stream) === size)
    stream.form = formOf(data, added.strand, added.text);
}

/** False where the frame opens something or says a text whole: what it holds is then read in more than one way. */
function readMembers(stream: Stream, frame: Members): boolean {
  let isOnlyDelta = true;
  const type = typeof frame['type'] === 'string' ? frame['type'] : '';
  for (const name in frame) {
    const value = frame[name];
    if (!KNOWN_NAMES.has(name)) {
      stream.labels.add(name);
      readDelta(stream, strandOf(stream.root, name, 'assistant'), value, 0);
    } else if (name === 'choices' && Array.isArray(value))
      isOnlyDelta = readChoices(stream, value) && isOnlyDelta;
    else if (name === 'delta') {
      readDelta(stream, strandOfDelta(stream, frame, type), value, 0);
      const index = frame['index'];
      if (stream.byIndex !== null && typeof index === 'number')
        readDelta(stream, strandOf(stream.byIndex, index, 'assistant'), value, 0);
    } else if (name === 'content_block') {
      readBlockStart(stream, frame, value);
      isOnlyDelta = false;
    } else if (name === 'logprobs') collectTokens(stream.tokens, value);
    else if (typeof value === 'string') readFrameString(stream, name, value, type);
    else if (typeof value === 'object' && value !== null) readFrameMember(stream, name, value);
    else if (typeof value === 'number' && !NUMBER_PARAMETERS.has(name))
      stream.rest.number(`#stream:/${name}`, roleOfEvent(type), value);
  }
  if (type === 'message_start') beginMessage(stream, frame['message']);
  else if (type === 'response.created') beginResponse(stream, frame['response']);
  else if (type.endsWith('.added')) beginItem(stream, placesIn(frame), frame['item'] ?? frame['part']);
  else return isOnlyDelta;
  return false;
}

function readFrameString(stream: Stream, name: string, value: string, type: string): void {
  if (name === 'model') stream.model ??= value;
  if (FULL_TEXTS.has(name)) stream.rest.text(`#stream:/${name}`, roleOfEvent(type), value);
  else if (name === 'partial_image_b64')
    readData(stream.rest, value, `#stream:/${name}`, 'image/png', 'media');
  else noteLabel(stream, name, value);
}

function noteLabel(stream: Stream, name: string, value: string): void {
  if (isKnownValue(value)) return;
  (isIdentifierName(name) && isIdentifier(value) ? stream.identifiers : stream.labels).add(value);
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

/** False where a choice holds a whole message. */
function readChoices(stream: Stream, choices: readonly unknown[]): boolean {
  let isOnlyDelta = true;
  const all = strandOf(stream.root, 'choices', 'assistant');
  for (let i = 0; i < choices.length; i++) {
    const choice = choices[i];
    if (!isMembers(choice)) {
      readLeaves(stream.rest, choice, '#stream:/choices', 'assistant');
      continue;
    }
    collectTokens(stream.tokens, choice['logprobs']);
    for (const index of indexesOf(choice['index'], i)) {
      isOnlyDelta = readChoice(stream, choice, index, strandOf(all, index, 'assistant')) && isOnlyDelta;
    }
  }
  return isOnlyDelta;
}

/** Of an index that is no number this much tells it from others. */
const MAX_LABEL = 64;

/**
 * Under which indexes a client may put a choice together. One that is missing is that of its place, or zero; what is no
 * number is taken as it stands, for the number it spells, or for its place; and a client may look at none.
 */
function indexesOf(index: unknown, at: number): Iterable<string | number> {
  if (typeof index === 'number') return [index];
  if (index === undefined || index === null) return new Set([at, 0, 'no index']);
  const label = `index ${JSON.stringify(index)}`.slice(0, MAX_LABEL);
  const spelt = typeof index === 'string' ? Number(index) : Number.NaN;
  return new Set([`place ${at}`, label, Number.isNaN(spelt) ? label : spelt, 'no index']);
}

function readChoice(stream: Stream, choice: Members, index: string | number, strand: Strand): boolean {
  let isOnlyDelta = true;
  for (const name in choice) {
    const value = choice[name];
    if (name === 'delta') readDelta(stream, strand, value, 0);
    else if (name === 'logprobs') continue;
    else if (name === 'message') {
      readMember(stream.rest, name, value, `#stream:/choices/${index}/message`);
      // Clients append later deltas to it.
      readDelta(stream, strand, value, 0);
      isOnlyDelta = false;
    } else readDeltaMember(stream, strand, name, value, 0);
  }
  return isOnlyDelta;
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
  for (const at of placesIn(frame)) strand = strandOf(strand, at, strand.role);
  return type.endsWith('audio.delta') ? strandOf(strand, 'data', strand.role) : strand;
}

function roleOfEvent(type: string): SlotRole {
  if (/output_content|call_output/.test(type)) return 'tool_result';
  return /arguments|_call|_code|command/.test(type) ? 'tool_call' : 'assistant';
}

function readBlockStart(stream: Stream, frame: Members, block: unknown): void {
  const index = typeof frame['index'] === 'number' ? frame['index'] : 0;
  readContent(stream.rest, block, `#stream:/content/${index}`, 'assistant');
  openBlock(stream, index, block);
}

const MAX_DELTA_DEPTH = 100;

function readDelta(stream: Stream, strand: Strand, value: unknown, depth: number): void {
  if (typeof value === 'string') {
    addTo(stream, strand, value);
  } else if (typeof value === 'number') {
    stream.rest.number('#stream:/delta', strand.role, value);
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
    if (LABELS.has(name)) noteLabel(stream, name, value);
    else addTo(stream, strandOf(strand, name, CALL_MEMBERS.has(name) ? 'tool_call' : strand.role), value);
  } else if (name === 'citation' || name === 'annotations') {
    readLeaves(stream.rest, value, `#stream:/${name}`, 'document');
  } else if (typeof value === 'number') {
    stream.rest.number('#stream:/delta', CALL_MEMBERS.has(name) ? 'tool_call' : strand.role, value);
  } else if (typeof value === 'object' && value !== null) {
    readDelta(
      stream,
      strandOf(strand, name, CALL_MEMBERS.has(name) ? 'tool_call' : strand.role),
      value,
      depth,
    );
  }
}
