import { parseAllMembers } from '../text/index.ts';
import { type ArgumentClass, argumentClass } from './argument-classes.ts';

/** One scalar of a call's arguments. */
export interface ArgumentField {
  /** JSON pointer, from the arguments on. */
  readonly path: string;
  readonly class: ArgumentClass | null;
  readonly text: string;
}

interface Pending {
  readonly value: unknown;
  readonly path: string;
  readonly class: ArgumentClass | null;
}

/**
 * Every scalar of the arguments, however deep, also of JSON that is held in a string and of names that it repeats; what is
 * unnamed belongs to what is around it. A stack of its own: nesting has no limit here.
 */
export function argumentFields(args: Readonly<Record<string, unknown>>): ArgumentField[] {
  const fields: ArgumentField[] = [];
  const pending: Pending[] = [{ value: args, path: '', class: null }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path, class: around } = next;
    const inner = typeof value === 'string' ? parseAllMembers(value) : value;
    const text = scalarOf(value, inner, around);
    if (text !== null) fields.push({ path, class: around, text });
    else if (typeof inner === 'object' && inner !== null) {
      if (isInPieces(inner)) fields.push({ path, class: around, text: inner.join('') });
      for (const member of membersOf(inner, path, around)) pending.push(member);
    }
  }
  return fields;
}

/** The text of a scalar, and of a command whose words are given one by one. */
function scalarOf(value: unknown, inner: unknown, around: ArgumentClass | null): string | null {
  if (inner === null && typeof value === 'string') return value;
  if (typeof inner === 'number') return String(inner);
  return around === 'command' && isWords(inner) ? inner.join(' ') : null;
}

/** What a shell is given. */
const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 1 &&
  value.every((word) => typeof word === 'string' && !word.includes('\n'));

/** An account in its groups of digits, or letter by letter: some tools put them together. */
const isInPieces = (value: object): value is string[] =>
  Array.isArray(value) &&
  value.length > 2 &&
  value.length <= MAX_PIECES &&
  value.every((piece) => typeof piece === 'string' && piece.length > 0 && piece.length <= MAX_PIECE);

const MAX_PIECES = 320;
const MAX_PIECE = 8;

function membersOf(container: object, path: string, around: ArgumentClass | null): Pending[] {
  const base = path.length > MAX_PATH ? '/…' : path;
  const members = Object.entries(container).map(([name, value]) => ({
    value,
    path: `${base}/${name}`,
    class: Array.isArray(container) ? around : (argumentClass(name) ?? around),
  }));
  return members.reverse();
}

/** Characters of a path: events show it, and a path that is longer says nothing. */
const MAX_PATH = 500;
