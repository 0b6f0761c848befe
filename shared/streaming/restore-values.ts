import { type FrameReader, isJson } from '../providers/index.ts';
import { applyReplacements, type Replacement } from '../text/index.ts';
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

/** Restores values in the strings of a JSON body; every other byte stays unchanged. Member names stay. */
export function restoreInJson(source: string, restore: RestoreValue): string {
  if (!mayContainPlaceholder(source)) return source;
  const changes: Replacement[] = [];
  for (const one of stringsIn(source)) changes.push(...restoreString(source, one, restore, false));
  return applyReplacements(source, changes);
}

/**
 * Restores values in a stream of events, whose texts arrive in pieces: of a placeholder in several frames the first
 * gets the value, and the others lose their part.
 */
export function restoreInStream(source: string, frames: FrameReader, restore: RestoreValue): string {
  const parts = source
    .split(/(?<=\n\r?\n)/)
    .map((part) => ({ text: part.replace(/\r\n?/g, '\n'), source: part }));
  return restoreInFrames(parts, frames, restore).join('');
}

/** Restores values in the sources of frames; `text`: the decoded form. */
export function restoreInFrames(
  parts: readonly { readonly text: string; readonly source: string }[],
  frames: FrameReader,
  restore: RestoreValue,
): string[] {
  const texts = new Map<number, { readonly text: PlaceholderText; length: number }>();
  const pieces = parts.map(({ text: frame }) =>
    frames.read(frame).grown.map(({ text: key, role, piece }) => {
      const known = texts.get(key) ?? { text: new PlaceholderText(restore, role === 'tool_call'), length: 0 };
      texts.set(key, known);
      const start = known.length;
      known.length += piece.length;
      known.text.push(piece);
      return { text: known.text, start, piece };
    }),
  );
  for (const { text } of texts.values()) text.end();
  return parts.map(({ source }, frame) => {
    const changed = pieces[frame]!.map(({ text, start, piece }) => ({
      piece,
      changes: text.changesOf(start, piece.length),
    }));
    return restoreInFrame(source, changed, restore).frame;
  });
}

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
export function restoreInFrame(
  frame: string,
  pieces: readonly ChangedPiece[],
  restore: RestoreValue,
): RestoredFrame {
  const others: string[] = [];
  if (pieces.every(({ changes }) => changes.length === 0) && !mayContainPlaceholder(frame))
    return { frame, others };
  const changed = frame.replace(/^(data: ?)(.*)$/gm, (line: string, field: string, data: string) => {
    if (!isJson(data)) return line;
    const changes: Replacement[] = [];
    const strings = stringsIn(data);
    const ofPieces = stringsOfPieces(strings, pieces);
    for (const one of strings) {
      const raw = data.slice(one.offset, one.offset + one.length);
      const known = ofPieces.get(one);
      const list =
        known === undefined ? restoreOther(data, one, pieces, restore) : writtenIn(raw, known, one.offset);
      if (known === undefined && list.length > 0)
        others.push(
          JSON.parse(
            applyReplacements(
              raw,
              list.map((change) => moved(change, -one.offset)),
            ),
          ) as string,
        );
      changes.push(...list);
    }
    return field + applyReplacements(data, changes);
  });
  return { frame: changed, others };
}

/** A part of a piece was already decided with the text around the piece. */
function restoreOther(
  data: string,
  one: StringIn,
  pieces: readonly ChangedPiece[],
  restore: RestoreValue,
): Replacement[] {
  if (pieces.some(({ piece }) => piece.includes(one.value))) return [];
  return restoreString(data, one, restore, true);
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
  const found = new Map<StringIn, readonly Replacement[]>();
  for (const { piece, changes } of pieces) {
    const alike = strings.filter((one) => one.value === piece && !found.has(one));
    const one = alike.find(({ path }) => DELTAS.has(path.slice(path.lastIndexOf('/') + 1))) ?? alike[0];
    if (one !== undefined) found.set(one, changes);
  }
  return found;
}

const HOLDS_CALL = /\/(?:arguments|input)$/;

function restoreString(
  source: string,
  { value, offset, length, path }: StringIn,
  restore: RestoreValue,
  isStream: boolean,
): Replacement[] {
  const found = [...placeholdersIn(value)];
  if (found.length === 0) return [];
  const isInJson = /^\s*[[{]/.test(value) && isJson(value);
  const position = isStream
    ? { path: null, callText: HOLDS_CALL.test(path) ? value : null }
    : { path, callText: null };
  const places = new PlaceReader(isInJson ? stringsIn(value) : null);
  const isMember = isAddressMember(path);
  const changes = found.flatMap((one) => {
    const isInAddress = isMember || places.isInAddress(value, one);
    const text = restore({ placeholder: one.placeholder, isInAddress, ...position });
    places.pass(text ?? value.slice(one.start, one.end), one.end);
    return text === null ? [] : [{ start: one.start, end: one.end, text: isInJson ? escaped(text) : text }];
  });
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
