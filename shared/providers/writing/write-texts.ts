import { createScanner, type JSONScanner } from 'jsonc-parser';
import {
  applyReplacements,
  applyReplacementsInSteps,
  finish,
  isJsonInSteps,
  pausing,
  type Replacement,
  type SlotPart,
  type Steps,
  type TextSlot,
} from '../../text/index.ts';
import { readEncoded, splitData, writeEncoded } from '../reading/base64-text.ts';
import { childPointer } from '../reading/path.ts';
import { type RewriteLiteral, replaceInJson, replaceNumber } from './replace-in-json.ts';

/**
 * Converts Verdict.replacements (by slot index) to the form of writeTexts: by path, with joined slots split. A text in a
 * signed block has no replacement, whatever was found in it.
 */
export function replacementsByPath(
  slots: readonly TextSlot[],
  byIndex: ReadonlyMap<number, readonly Replacement[]>,
): Map<string, Replacement[]> {
  return finish(replacementsByPathInSteps(slots, byIndex));
}

/** Does the same in steps. */
export function* replacementsByPathInSteps(
  slots: readonly TextSlot[],
  byIndex: ReadonlyMap<number, readonly Replacement[]>,
): Steps<Map<string, Replacement[]>> {
  const byPath = new Map<string, Replacement[]>();
  const add = (path: string, replacement: Replacement): void => {
    const list = byPath.get(path);
    if (list === undefined) byPath.set(path, [replacement]);
    else list.push(replacement);
  };
  const signed = signedPaths(slots);
  for (const [index, replacements] of byIndex) {
    const slot = slots[index];
    if (slot === undefined || slot.signedBlock !== undefined) continue;
    yield* pausing(replacements, (replacement) => {
      if (slot.parts === undefined) add(slot.path, replacement);
      else for (const [path, part] of splitReplacement(slot, replacement, signed)) add(path, part);
    });
    yield;
  }
  return byPath;
}

/** False for texts without a single path, and for those that cannot be written back to their source. */
export function isWritable({ path, parts, signedBlock }: Omit<TextSlot, 'text' | 'role'>): boolean {
  if (signedBlock !== undefined) return false;
  return parts !== undefined || !(path.startsWith('#') || /~(?:pdf|file)\//.test(path));
}

/** Returns the blocks of the texts that are signed, by the path of the text. */
export function signedPaths(slots: readonly TextSlot[]): ReadonlyMap<string, string> {
  const signed = new Map<string, string>();
  for (const { path, signedBlock } of slots) if (signedBlock !== undefined) signed.set(path, signedBlock);
  return signed;
}

/** The first piece that can be written gets the replacement text, the others are only removed. */
function* splitReplacement(
  slot: TextSlot,
  replacement: Replacement,
  signed: ReadonlyMap<string, string>,
): Generator<[string, Replacement]> {
  let { text } = replacement;
  for (const part of partsBetween(slot.parts ?? [], replacement.start, replacement.end)) {
    if (signed.has(part.path)) continue;
    const start = Math.max(replacement.start, part.start);
    const end = Math.min(replacement.end, part.end);
    if (end <= start) continue;
    const shift = part.from - part.start;
    yield [part.path, { start: start + shift, end: end + shift, text }];
    text = '';
  }
}

/** Returns those of the parts, which are in order, that a range touches. */
export function partsBetween(parts: readonly SlotPart[], start: number, end: number): readonly SlotPart[] {
  const from = firstBehind(parts, start);
  let to = from;
  while (to < parts.length && parts[to]!.start < end) to++;
  return parts.slice(from, to);
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
export function* editsOf(replacements: ReadonlyMap<string, readonly Replacement[]>): Steps<Edits> {
  const values = new Map<string, Edit>();
  const names = new Map<string, Edit>();
  yield* pausing(replacements, ([path, list]) => {
    if (!path.startsWith('#') && list.length > 0) addEdit(values, names, path, list);
  });
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
  return finish(writeTextsInSteps(source, replacements));
}

/** Does the same in steps. */
export function* writeTextsInSteps(
  source: string,
  replacements: ReadonlyMap<string, readonly Replacement[]>,
): Steps<string> {
  const edits = yield* editsOf(replacements);
  if (edits.values.size === 0 && edits.names.size === 0) return source;
  return yield* applyReplacementsInSteps(source, yield* changedLiterals(source, edits));
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

/** An open array or object. */
interface Open {
  readonly path: string;
  readonly isObject: boolean;
  index: number;
  name: string;
  /** True where the name of a member is due. */
  isNameNext: boolean;
  readonly renamed: Renamed[];
  readonly taken: Set<string>;
}

/** Tokens between two pauses. */
const TOKENS = 256;

/** Traverses the source once and returns the new form of every changed literal. */
function* changedLiterals(source: string, edits: Edits): Steps<Replacement[]> {
  const scanner = createScanner(source, true);
  const walk = new LiteralWalk(source, scanner, edits);
  for (let count = 1; ; count++) {
    scanner.scan();
    if (scanner.getTokenOffset() >= source.length) return walk.changes;
    yield* walk.token();
    if (count % TOKENS === 0) yield;
  }
}

class LiteralWalk {
  readonly changes: Replacement[] = [];
  private readonly open: Open[] = [];
  private readonly source: string;
  private readonly scanner: JSONScanner;
  private readonly edits: Edits;

  constructor(source: string, scanner: JSONScanner, edits: Edits) {
    this.source = source;
    this.scanner = scanner;
    this.edits = edits;
  }

  *token(): Steps<void> {
    const sign = this.source[this.scanner.getTokenOffset()]!;
    const top = this.open.at(-1);
    switch (sign) {
      case '{':
      case '[':
        return this.enter(sign === '{');
      case '}':
      case ']':
        return this.leave();
      case ',':
        if (top?.isObject) top.isNameNext = true;
        else if (top !== undefined) top.index++;
        return;
      case '"':
        return yield* top?.isNameNext ? this.name(top) : this.value(true);
      default:
        if (sign === '-' || (sign >= '0' && sign <= '9')) yield* this.value(false);
    }
  }

  private enter(isObject: boolean): void {
    const common = { index: 0, name: '', renamed: [], taken: new Set<string>() };
    this.open.push({ ...common, path: this.pathHere(), isObject, isNameNext: isObject });
  }

  private leave(): void {
    const closed = this.open.pop();
    for (const { offset, length, name } of closed?.renamed ?? [])
      this.change(offset, length, freeName(name, closed?.taken ?? new Set()));
  }

  private *name(within: Open): Steps<void> {
    const name = this.scanner.getTokenValue();
    within.name = name;
    within.isNameNext = false;
    const edit = this.edits.names.get(childPointer(within.path, name));
    if (edit === undefined) within.taken.add(name);
    else
      within.renamed.push({
        ...{ offset: this.scanner.getTokenOffset(), length: this.scanner.getTokenLength() },
        name: yield* rewrite(name, edit),
      });
  }

  private *value(isText: boolean): Steps<void> {
    const edit = this.edits.values.get(this.pathHere());
    if (edit === undefined) return;
    const offset = this.scanner.getTokenOffset();
    const length = this.scanner.getTokenLength();
    const text = isText
      ? yield* rewrite(this.scanner.getTokenValue(), edit)
      : replaceNumber(this.source.slice(offset, offset + length), edit.own);
    this.change(offset, length, text);
  }

  private pathHere(): string {
    const top = this.open.at(-1);
    if (top === undefined) return '';
    return top.isObject ? childPointer(top.path, top.name) : `${top.path}/${top.index}`;
  }

  private change(offset: number, length: number, text: string): void {
    this.changes.push({ start: offset, end: offset + length, text: JSON.stringify(text) });
  }
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
export function* rewrite(
  text: string,
  edit: Edit,
  apply: RewriteLiteral = applyReplacementsInSteps,
): Steps<string> {
  if (edit.data !== null) {
    const parts = splitData(text);
    // Only a text has changes, so it was read as text, declared or not.
    const inside = readEncoded(parts, true);
    if (inside.kind === 'text') {
      const head = parts.head.length;
      const changed = writeEncoded(text, yield* rewrite(inside.text, edit.data, apply));
      return applyReplacements(
        changed,
        edit.own.filter((replacement) => replacement.end <= head),
      );
    }
  }
  if (/^\s*[[{]/.test(text) && (yield* isJsonInSteps(text))) {
    yield;
    const inner = new Map<number, RewriteLiteral>();
    const own = [...edit.own];
    const add = ([at, below]: [number, Edit]): void => {
      const mask = below.own[0];
      if (text[at] === '"')
        inner.set(at, (decoded, found) =>
          rewrite(decoded, { ...below, own: [...below.own, ...found] }, apply),
        );
      // For a number the offsets refer to its digits, written out.
      else if (mask !== undefined) own.push({ start: at, end: at + 1, text: mask.text });
    };
    yield* pausing(edit.literals, add);
    return yield* replaceInJson(text, own, inner, apply);
  }
  return yield* apply(text, edit.own);
}
