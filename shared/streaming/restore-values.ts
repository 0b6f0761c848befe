import type { FrameReader } from '../providers/index.ts';
import {
  applyReplacements,
  done,
  isJsonInSteps,
  isLowSurrogate,
  pausing,
  type Replacement,
  type Steps,
} from '../text/index.ts';
import { isAddressMember } from './address-reader.ts';
import { PlaceReader } from './place-reader.ts';
import {
  escaped,
  mayContainPlaceholder,
  PlaceholderText,
  placeholdersIn,
  type RestoreValue,
} from './placeholder-text.ts';
import { type StringIn, stringsIn } from './strings-in.ts';

/** Restores nothing: thoughts go on as the model wrote them, because providers sign them. */
const KEEP: RestoreValue = () => null;

const isIn = (path: string, thoughts: readonly string[]): boolean =>
  thoughts.some((thought) => `${path}/`.includes(`${thought}/`));

/**
 * Restores values in the strings of a JSON body; every other byte stays unchanged. Member names stay. `thoughtsIn`
 * returns the pointers of what stays, too.
 */
export function* restoreInJson(
  source: string,
  restore: RestoreValue,
  thoughtsIn: (source: string) => Steps<readonly string[]> = () => done([]),
): Steps<string> {
  if (!mayContainPlaceholder(source)) return source;
  const changes: Replacement[] = [];
  const thoughts = yield* thoughtsIn(source);
  for (const one of yield* stringsIn(source)) {
    if (isIn(one.path, thoughts)) continue;
    for (const change of yield* restoreString(source, one, restore, false)) changes.push(change);
    yield;
  }
  return applyReplacements(source, changes);
}

/**
 * Restores values in a stream of events, whose texts arrive in pieces: of a placeholder in several frames the first
 * gets the value, and the others lose their part.
 */
export function* restoreInStream(source: string, frames: FrameReader, restore: RestoreValue): Steps<string> {
  const parts: { readonly text: string; readonly source: string }[] = [];
  yield* pausing(framesOf(source), (part) => {
    parts.push({ text: part.replace(/\r\n?/g, '\n'), source: part });
  });
  return (yield* restoreInFrames(parts, frames, restore)).join('');
}

/** Returns a stream in pieces that end with an empty line. */
function* framesOf(source: string): Generator<string> {
  let start = 0;
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) {
    const before = source[at - 1] === '\r' ? at - 2 : at - 1;
    if (source[before] !== '\n') continue;
    yield source.slice(start, at + 1);
    start = at + 1;
  }
  if (start < source.length) yield source.slice(start);
}

/** Restores values in the sources of frames; `text`: the decoded form. */
export function* restoreInFrames(
  parts: readonly { readonly text: string; readonly source: string }[],
  frames: FrameReader,
  restore: RestoreValue,
): Steps<string[]> {
  const texts = new Map<number, { readonly text: PlaceholderText; length: number }>();
  const pieces: PieceOfText[][] = [];
  const thoughts: (readonly string[])[] = [];
  for (const { text: frame } of parts) {
    const ofFrame: PieceOfText[] = [];
    const read = frames.read(frame);
    thoughts.push(read.thoughts);
    for (const { text: key, role, piece, isThought } of read.grown) {
      const restoreIn = isThought === true ? KEEP : restore;
      const known = texts.get(key) ?? {
        text: new PlaceholderText(restoreIn, role === 'tool_call'),
        length: 0,
      };
      texts.set(key, known);
      ofFrame.push({ text: known.text, start: known.length, piece });
      known.length += piece.length;
      for (const part of shortPieces(piece)) {
        known.text.push(part);
        yield;
      }
    }
    pieces.push(ofFrame);
    yield;
  }
  for (const { text } of texts.values()) yield* text.end();
  const restored: string[] = [];
  for (const [frame, { source }] of parts.entries()) {
    const changed = pieces[frame]!.map(({ text, start, piece }) => ({
      piece,
      changes: text.changesOf(start, piece.length),
    }));
    restored.push((yield* restoreInFrame(source, changed, restore, thoughts[frame])).frame);
    yield;
  }
  return restored;
}

/** A piece of a text, and where it begins in the text. */
interface PieceOfText {
  readonly text: PlaceholderText;
  readonly start: number;
  readonly piece: string;
}

/** Read between two pauses. */
const SHORT = 4_096;

/** Yields a text in parts that take little time to read. */
export function* shortPieces(text: string): Generator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = wholeEnd(text, start + SHORT);
    yield text.slice(start, end);
  }
}

/** Does not split a surrogate pair. */
const wholeEnd = (text: string, end: number): number =>
  isLowSurrogate(text.charCodeAt(end)) ? end + 1 : end;

/** A piece of a text in one frame, and its changes. */
export interface ChangedPiece {
  readonly piece: string;
  readonly changes: readonly Replacement[];
}

export interface RestoredFrame {
  readonly frame: string;
  /** Strings of the frame outside of those pieces in which values were restored. */
  readonly others: readonly string[];
}

/** Writes the changes of the pieces into a frame, and restores values in its other strings. */
export function* restoreInFrame(
  frame: string,
  pieces: readonly ChangedPiece[],
  restore: RestoreValue,
  thoughts: readonly string[] = [],
): Steps<RestoredFrame> {
  const others: string[] = [];
  if (pieces.every(({ changes }) => changes.length === 0) && !mayContainPlaceholder(frame))
    return { frame, others };
  const changes: Replacement[] = [];
  for (const { index, 1: field = '', 2: data = '' } of frame.matchAll(/^(data: ?)(.*)$/gm)) {
    if (!(yield* isJsonInSteps(data))) continue;
    const at = index + field.length;
    yield;
    for (const { one, list, isOther } of yield* changesOfData(data, pieces, restore, thoughts)) {
      if (isOther) others.push(JSON.parse(changedRaw(data, one, list)) as string);
      for (const change of list) changes.push(moved(change, at));
    }
  }
  return { frame: applyReplacements(frame, changes), others };
}

interface ChangesOfString {
  readonly one: StringIn;
  readonly list: readonly Replacement[];
  /** False: it is a piece of a text. */
  readonly isOther: boolean;
}

function* changesOfData(
  data: string,
  pieces: readonly ChangedPiece[],
  restore: RestoreValue,
  thoughts: readonly string[],
): Steps<ChangesOfString[]> {
  const changed: ChangesOfString[] = [];
  const strings = yield* stringsIn(data);
  const ofPieces = stringsOfPieces(strings, pieces);
  for (const one of strings) {
    const known = ofPieces.get(one);
    const isOther = known === undefined;
    const list = isOther
      ? yield* restoreOther(data, one, pieces, isIn(one.path, thoughts) ? KEEP : restore)
      : writtenIn(data.slice(one.offset, one.offset + one.length), known, one.offset);
    if (list.length > 0) changed.push({ one, list, isOther });
  }
  return changed;
}

function changedRaw(data: string, { offset, length }: StringIn, list: readonly Replacement[]): string {
  return applyReplacements(
    data.slice(offset, offset + length),
    list.map((change) => moved(change, -offset)),
  );
}

/** A part of a piece was already decided with the text around the piece. */
function* restoreOther(
  data: string,
  one: StringIn,
  pieces: readonly ChangedPiece[],
  restore: RestoreValue,
): Steps<readonly Replacement[]> {
  const changes = yield* restoreString(data, one, restore, true);
  return changes.length > 0 && pieces.some(({ piece }) => piece.includes(one.value)) ? [] : changes;
}

/** Members that contain deltas; another member may have the same value as a piece. */
const DELTAS: ReadonlySet<string> = new Set(
  'content text thinking reasoning reasoning_content refusal delta arguments partial_json input code'.split(
    ' ',
  ),
);

/** Finds the string of each piece; among equal strings members with deltas come first. */
function stringsOfPieces(
  strings: readonly StringIn[],
  pieces: readonly ChangedPiece[],
): Map<StringIn, readonly Replacement[]> {
  const isDelta = ({ path }: StringIn): boolean => DELTAS.has(path.slice(path.lastIndexOf('/') + 1));
  const wanted = new Set(pieces.map(({ piece }) => piece));
  const alike = Map.groupBy(
    strings.filter(({ value }) => wanted.has(value)),
    ({ value }) => value,
  );
  const inOrder = new Map<string, Iterator<StringIn>>();
  for (const [value, ones] of alike)
    inOrder.set(value, [...ones.filter(isDelta), ...ones.filter((one) => !isDelta(one))].values());
  const found = new Map<StringIn, readonly Replacement[]>();
  for (const { piece, changes } of pieces) {
    const next = inOrder.get(piece)?.next();
    if (next?.done === false) found.set(next.value, changes);
  }
  return found;
}

const HOLDS_CALL = /\/(?:arguments|input)$/;

/** Reads a part of a text in short pieces. */
function* readShort(places: PlaceReader, text: string, from: number, until: number): Steps<void> {
  for (let end = from + SHORT; end < until; end += SHORT) {
    places.readTo(text, wholeEnd(text, end));
    yield;
  }
}

const spelled = (text: string, isInJson: boolean): string => (isInJson ? escaped(text) : text);
const callTextOf = (path: string, value: string): string | null => (HOLDS_CALL.test(path) ? value : null);

function* restoreString(
  source: string,
  { value, offset, length, path }: StringIn,
  restore: RestoreValue,
  isStream: boolean,
): Steps<Replacement[]> {
  const found = [...placeholdersIn(value)];
  if (found.length === 0) return [];
  const isInJson = /^\s*[[{]/.test(value) && (yield* isJsonInSteps(value));
  yield;
  const position = isStream ? { path: null, callText: callTextOf(path, value) } : { path, callText: null };
  const places = new PlaceReader(isInJson ? yield* stringsIn(value) : null);
  const isMember = isAddressMember(path);
  const changes: Replacement[] = [];
  let from = 0;
  for (const one of found) {
    // A part of a string of JSON may be cut within an escape.
    if (!isMember && !isInJson) yield* readShort(places, value, from, one.start);
    from = one.end;
    const isInAddress = isMember || places.isInAddress(value, one);
    const text = restore({ placeholder: one.placeholder, isInAddress, ...position });
    places.pass(text ?? value.slice(one.start, one.end), one.end);
    if (text !== null) changes.push({ start: one.start, end: one.end, text: spelled(text, isInJson) });
    yield;
  }
  return writtenIn(source.slice(offset, offset + length), changes, offset);
}

/** Converts changes of a text to the raw form of its JSON string, where an escape is one character of the text. */
function writtenIn(raw: string, changes: readonly Replacement[], offset: number): Replacement[] {
  if (changes.length === 0) return [];
  let index = 0;
  let at = 1;
  let backslash = raw.indexOf('\\', at);
  const placeOf = (target: number): number => {
    for (; backslash !== -1 && backslash - at < target - index; backslash = raw.indexOf('\\', at)) {
      index += backslash - at + 1;
      at = backslash + (raw[backslash + 1] === 'u' ? 6 : 2);
    }
    at += target - index;
    index = target;
    return offset + at;
  };
  return changes.map(({ start, end, text }) => ({
    start: placeOf(start),
    end: placeOf(end),
    text: escaped(text),
  }));
}

const moved = ({ start, end, text }: Replacement, by: number): Replacement => ({
  start: start + by,
  end: end + by,
  text,
});
