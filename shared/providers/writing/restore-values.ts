import { visit } from 'jsonc-parser';
import { applyReplacements, type Replacement } from '../../text/index.ts';
import { childPointer } from '../reading/path.ts';
import { isJson } from '../reading/text-collector.ts';
import type { FrameReader, Growth } from '../wire-format.ts';

/** Where in a response a placeholder stands. */
export interface PlaceholderPosition {
  readonly placeholder: string;
  /** The text around it. */
  readonly before: string;
  readonly after: string;
  /** JSON pointer of the string; null if pieces of it stand in several frames. */
  readonly path: string | null;
}

/** The value that stood in its place; null: the placeholder stays. */
export type RestoreValue = (position: PlaceholderPosition) => string | null;

/** As placeholders of values that can be put back are written. */
export const PLACEHOLDER = /\[[A-Z_]{2,40}_[0-9A-HJKMNP-TV-Z]{8}\]/g;
const CONTEXT = 600;

/** Puts values back into the strings of a JSON body; every other byte stays as it was written. Names of members stay. */
export function restoreInJson(source: string, restore: RestoreValue): string {
  if (source.search(PLACEHOLDER) === -1) return source;
  return applyReplacements(source, changesIn(source, restore, new Map()));
}

/**
 * The same for a stream of events, whose texts arrive in pieces: where a placeholder stands in several frames the first
 * gets the value, and the others lose their part of it.
 */
export function restoreInStream(source: string, frames: FrameReader, restore: RestoreValue): string {
  const parts = source.split(/(?<=\n\r?\n)/);
  const texts = new Map<number, GrownText>();
  for (const [frame, part] of parts.entries()) {
    const { grown } = frames.read(part.replace(/\r\n?/g, '\n'));
    for (const growth of grown) addPiece(texts, frame, growth);
  }
  const edits = new Map<number, Map<string, Replacement[]>>();
  for (const text of texts.values()) addEdits(edits, text, restore);
  return parts.map((part, frame) => restoreInFrame(part, edits.get(frame) ?? new Map(), restore)).join('');
}

interface GrownText {
  readonly role: Growth['role'];
  text: string;
  readonly pieces: { readonly frame: number; readonly piece: string; readonly start: number }[];
}

function addPiece(texts: Map<number, GrownText>, frame: number, { text: key, role, piece }: Growth): void {
  let text = texts.get(key);
  if (text === undefined) {
    text = { role, text: '', pieces: [] };
    texts.set(key, text);
  }
  text.pieces.push({ frame, piece, start: text.text.length });
  text.text += piece;
}

/** By frame and piece: what changes in it. */
function addEdits(
  edits: Map<number, Map<string, Replacement[]>>,
  { text, pieces }: GrownText,
  restore: RestoreValue,
): void {
  const isInJson = /^\s*[[{]/.test(text) && isJson(text);
  let first = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    const end = match.index + match[0].length;
    const value = restore(positionOf(text, match.index, match[0], null));
    if (value === null) continue;
    let rest = isInJson ? escaped(value) : value;
    while (first < pieces.length && pieces[first]!.start + pieces[first]!.piece.length <= match.index)
      first++;
    for (let at = first; at < pieces.length && pieces[at]!.start < end; at++) {
      const { frame, piece, start } = pieces[at]!;
      const inFrame = edits.get(frame) ?? new Map<string, Replacement[]>();
      edits.set(frame, inFrame);
      const list = inFrame.get(piece) ?? [];
      inFrame.set(piece, list);
      const from = Math.max(0, match.index - start);
      list.push({ start: from, end: Math.min(piece.length, end - start), text: rest });
      rest = '';
    }
  }
}

function restoreInFrame(
  part: string,
  pieces: ReadonlyMap<string, readonly Replacement[]>,
  restore: RestoreValue,
): string {
  if (pieces.size === 0 && part.search(PLACEHOLDER) === -1) return part;
  return part.replace(/^(data: ?)(.*)$/gm, (line: string, field: string, data: string) =>
    isJson(data) ? field + applyReplacements(data, changesIn(data, restore, pieces)) : line,
  );
}

/** Members that deltas stand in; a piece may be spelled as another member's value. */
const DELTAS: ReadonlySet<string> = new Set(
  'content text thinking reasoning reasoning_content refusal delta arguments partial_json input code'.split(
    ' ',
  ),
);

/** What changes in the string values of a JSON source; `pieces`: in values of that text. */
function changesIn(
  source: string,
  restore: RestoreValue,
  pieces: ReadonlyMap<string, readonly Replacement[]>,
): Replacement[] {
  const changes: Replacement[] = [];
  const done = new Set<string>();
  eachString(source, (value, offset, length, path) => {
    const raw = source.slice(offset, offset + length);
    const known = DELTAS.has(path.slice(path.lastIndexOf('/') + 1)) ? pieces.get(value) : undefined;
    if (known !== undefined && !done.has(value)) {
      done.add(value);
      const text = rawReplacements(raw, known).map((one) => ({ ...one, text: escaped(one.text) }));
      for (const one of text) changes.push({ ...one, start: one.start + offset, end: one.end + offset });
      return;
    }
    const isInJson = raw.includes('[') && /^\s*[[{]/.test(value) && isJson(value);
    for (const match of raw.matchAll(PLACEHOLDER)) {
      const found = restore(positionOf(raw, match.index, match[0], path));
      if (found === null) continue;
      const text = escaped(isInJson ? escaped(found) : found);
      changes.push({ start: offset + match.index, end: offset + match.index + match[0].length, text });
    }
  });
  return changes;
}

function eachString(
  source: string,
  visitor: (value: string, offset: number, length: number, path: string) => void,
): void {
  const open: { readonly path: string; index: number; name: string | null }[] = [];
  const here = (): string => {
    const top = open.at(-1);
    if (top === undefined) return '';
    return top.name === null ? `${top.path}/${top.index}` : childPointer(top.path, top.name);
  };
  const enter = (): void => void open.push({ path: here(), index: 0, name: null });
  const leave = (): void => void open.pop();
  visit(source, {
    onObjectBegin: enter,
    onArrayBegin: enter,
    onObjectEnd: leave,
    onArrayEnd: leave,
    onObjectProperty(name) {
      const top = open.at(-1);
      if (top !== undefined) top.name = name;
    },
    onSeparator(character) {
      const top = open.at(-1);
      if (character === ',' && top !== undefined && top.name === null) top.index++;
    },
    onLiteralValue(value, offset, length) {
      if (typeof value === 'string') visitor(value, offset, length, here());
    },
  });
}

/** The same in the raw spelling of a JSON string: an escape is one character of the text. */
function rawReplacements(raw: string, replacements: readonly Replacement[]): Replacement[] {
  const indexes: number[] = [];
  let at = 1;
  while (at < raw.length - 1) {
    indexes.push(at);
    at += raw[at] !== '\\' ? 1 : raw[at + 1] === 'u' ? 6 : 2;
  }
  indexes.push(raw.length - 1);
  return replacements.map(({ start, end, text }) => ({ start: indexes[start]!, end: indexes[end]!, text }));
}

function positionOf(
  text: string,
  start: number,
  placeholder: string,
  path: string | null,
): PlaceholderPosition {
  const end = start + placeholder.length;
  return {
    placeholder,
    before: text.slice(Math.max(0, start - CONTEXT), start),
    after: text.slice(end, end + CONTEXT),
    path,
  };
}

/** As it stands between the quotes of a JSON string. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
