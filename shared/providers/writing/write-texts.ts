import { visit } from 'jsonc-parser';
import { applyReplacements, type Replacement, type SlotPart, type TextSlot } from '../../text/index.ts';
import { readEncoded, splitData, writeEncoded } from '../reading/base64-text.ts';
import { childPointer } from '../reading/path.ts';
import { isJson } from '../reading/text-collector.ts';
import { type RewriteLiteral, replaceInJson, replaceNumber } from './replace-in-json.ts';

/** Converts Verdict.replacements (by slot index) to the form of writeTexts: by path, with joined slots split. */
export function replacementsByPath(
  slots: readonly TextSlot[],
  byIndex: ReadonlyMap<number, readonly Replacement[]>,
): Map<string, Replacement[]> {
  const byPath = new Map<string, Replacement[]>();
  const add = (path: string, replacement: Replacement): void => {
    const list = byPath.get(path);
    if (list === undefined) byPath.set(path, [replacement]);
    else list.push(replacement);
  };
  for (const [index, replacements] of byIndex) {
    const slot = slots[index];
    if (slot === undefined) continue;
    for (const replacement of replacements) {
      if (slot.parts === undefined) add(slot.path, replacement);
      else for (const [path, part] of splitReplacement(slot, replacement)) add(path, part);
    }
  }
  return byPath;
}

/** False for texts without a single path, and for those that cannot be written back to their source. */
export function isWritable({ path, parts }: Pick<TextSlot, 'path' | 'parts'>): boolean {
  return parts !== undefined || !(path.startsWith('#') || /~(?:pdf|file)\//.test(path));
}

/** The first piece gets the replacement text, the others are only removed. */
function* splitReplacement(slot: TextSlot, replacement: Replacement): Generator<[string, Replacement]> {
  let { text } = replacement;
  const parts = slot.parts ?? [];
  for (let i = firstBehind(parts, replacement.start); i < parts.length; i++) {
    const part = parts[i]!;
    if (part.start >= replacement.end) return;
    const start = Math.max(replacement.start, part.start);
    const end = Math.min(replacement.end, part.end);
    if (end <= start) continue;
    const shift = part.from - part.start;
    yield [part.path, { start: start + shift, end: end + shift, text }];
    text = '';
  }
}

/** Returns the first of the parts, which are in order, that does not end before `at`. */
function firstBehind(parts: readonly SlotPart[], at: number): number {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle]!.end <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The changes in one string and in the texts it contains. */
export interface Edit {
  readonly own: Replacement[];
  /** Changes of the text inside base64 or a data: URL. */
  data: Edit | null;
  /** Changes of string and number literals in the JSON that the string contains, by their index. */
  readonly literals: Map<number, Edit>;
}

const newEdit = (): Edit => ({ own: [], data: null, literals: new Map() });

/** The changes of each string of a body, by its JSON pointer: of values, and of member names. */
export interface Edits {
  readonly values: ReadonlyMap<string, Edit>;
  readonly names: ReadonlyMap<string, Edit>;
}

/** Paths with one pointer are one string, however often and in whatever way it was read. */
export function editsOf(replacements: ReadonlyMap<string, readonly Replacement[]>): Edits {
  const values = new Map<string, Edit>();
  const names = new Map<string, Edit>();
  for (const [path, list] of replacements) {
    if (path.startsWith('#') || list.length === 0) continue;
    addEdit(values, names, path, list);
  }
  return { values, names };
}

/**
 * Writes redactions into a body's source. Only the affected string and number literals change, a number into a string;
 * every other character stays unchanged. Paths are those of slots read from the same source; paths that start with `#`
 * have no single position and are skipped (`replacementsByPath` has split joined ones).
 */
export function writeTexts(
  source: string,
  replacements: ReadonlyMap<string, readonly Replacement[]>,
): string {
  const { values, names } = editsOf(replacements);
  if (values.size === 0 && names.size === 0) return source;
  return applyReplacements(source, changedLiterals(source, values, names));
}

function addEdit(
  values: Map<string, Edit>,
  names: Map<string, Edit>,
  path: string,
  list: readonly Replacement[],
): void {
  const [pointer = '', ...steps] = path.split(/~(?=[a-z])/);
  const edits = steps[0] === 'key' ? names : values;
  let edit = edits.get(pointer);
  if (edit === undefined) {
    edit = newEdit();
    edits.set(pointer, edit);
  }
  for (const inner of steps) {
    if (inner === 'data') {
      edit = edit.data ??= newEdit();
    } else if (inner.startsWith('json/')) {
      const open = Number(inner.slice(5));
      const below: Edit = edit.literals.get(open) ?? newEdit();
      edit.literals.set(open, below);
      edit = below;
    }
  }
  for (const replacement of list) edit.own.push(replacement);
}

/** Traverses the source once and returns the new form of every changed literal. */
function changedLiterals(
  source: string,
  values: ReadonlyMap<string, Edit>,
  names: ReadonlyMap<string, Edit>,
): Replacement[] {
  const changes: Replacement[] = [];
  const change = (offset: number, length: number, text: string): void => {
    changes.push({ start: offset, end: offset + length, text: JSON.stringify(text) });
  };
  /** One entry for each open array or object: its pointer, and the current index or member. */
  const open: { path: string; index: number; name: string | null; renamed: Renamed[]; taken: Set<string> }[] =
    [];
  const pathHere = (): string => {
    const top = open.at(-1);
    if (top === undefined) return '';
    return top.name === null ? `${top.path}/${top.index}` : childPointer(top.path, top.name);
  };
  const enter = (): void => {
    open.push({ path: pathHere(), index: 0, name: null, renamed: [], taken: new Set() });
  };
  visit(source, {
    onObjectBegin: enter,
    onArrayBegin: enter,
    onObjectProperty(name, offset, length) {
      const top = open.at(-1);
      if (top === undefined) return;
      top.name = name;
      const edit = names.get(childPointer(top.path, name));
      if (edit === undefined) top.taken.add(name);
      else top.renamed.push({ offset, length, name: rewrite(name, edit) });
    },
    onObjectEnd() {
      const closed = open.pop();
      for (const { offset, length, name } of closed?.renamed ?? []) {
        change(offset, length, freeName(name, closed?.taken ?? new Set()));
      }
    },
    onArrayEnd() {
      open.pop();
    },
    onSeparator(character) {
      const top = open.at(-1);
      if (character === ',' && top !== undefined && top.name === null) top.index++;
    },
    onLiteralValue(value, offset, length) {
      if (typeof value !== 'string' && typeof value !== 'number') return;
      const edit = values.get(pathHere());
      if (edit === undefined) return;
      const isText = typeof value === 'string';
      change(
        offset,
        length,
        isText ? rewrite(value, edit) : replaceNumber(source.slice(offset, offset + length), edit.own),
      );
    },
  });
  return changes;
}

interface Renamed {
  readonly offset: number;
  readonly length: number;
  readonly name: string;
}

/** Two names with the same mask must stay distinct. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let i = 2; taken.has(free); i++) free = `${name}_${i}`;
  taken.add(free);
  return free;
}

/** Applies the changes of one string. `apply` changes a text without inner texts. */
export function rewrite(text: string, edit: Edit, apply = applyReplacements): string {
  if (edit.data !== null) {
    const parts = splitData(text);
    // Only a text has changes, so it was read as text, declared or not.
    const inside = readEncoded(parts, true);
    if (inside.kind === 'text') {
      const head = parts.head.length;
      const changed = writeEncoded(text, rewrite(inside.text, edit.data, apply));
      return applyReplacements(
        changed,
        edit.own.filter((replacement) => replacement.end <= head),
      );
    }
  }
  if (/^\s*[[{]/.test(text) && isJson(text)) {
    const inner = new Map<number, RewriteLiteral>();
    const own = [...edit.own];
    for (const [at, below] of edit.literals) {
      const mask = below.own[0];
      if (text[at] === '"')
        inner.set(at, (decoded, found) =>
          rewrite(decoded, { ...below, own: [...below.own, ...found] }, apply),
        );
      // For a number the offsets refer to its digits, written out.
      else if (mask !== undefined) own.push({ start: at, end: at + 1, text: mask.text });
    }
    return replaceInJson(text, own, inner, apply);
  }
  return apply(text, edit.own);
}
