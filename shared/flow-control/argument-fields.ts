import { parseAllMembersInSteps, pausing, type Steps } from '../text/index.ts';
import { type ArgumentClass, argumentClass } from './argument-classes.ts';

/** One scalar of a call's arguments. */
export interface ArgumentField {
  /** JSON pointer, relative to the arguments. */
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
 * Returns every scalar of the arguments at any depth, including JSON inside strings and names that it repeats; unnamed
 * values take the class of their container. Uses an explicit stack, because nesting is not limited here.
 */
export function* argumentFields(args: Readonly<Record<string, unknown>>): Steps<ArgumentField[]> {
  const fields: ArgumentField[] = [];
  const pending: Pending[] = [{ value: args, path: '', class: null }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield;
    const { value, path, class: around } = next;
    const inner = typeof value === 'string' ? yield* parseAllMembersInSteps(value) : value;
    const text = scalarOf(value, inner, around);
    if (text !== null) fields.push({ path, class: around, text });
    else if (typeof inner === 'object' && inner !== null) {
      if (isInPieces(inner)) fields.push({ path, class: around, text: inner.join('') });
      for (const member of yield* membersOf(inner, path, around)) pending.push(member);
    }
  }
  return fields;
}

/** Returns the text of a scalar, or of a command given as a list of words. */
function scalarOf(value: unknown, inner: unknown, around: ArgumentClass | null): string | null {
  if (inner === null && typeof value === 'string') return value;
  if (typeof inner === 'number') return String(inner);
  return around === 'command' && isWords(inner) ? inner.join(' ') : null;
}

/** A shell command as a list of words. */
const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 1 &&
  value.every((word) => typeof word === 'string' && !word.includes('\n'));

/** An account number in groups of digits, or letter by letter: some tools join them. */
const isInPieces = (value: object): value is string[] =>
  Array.isArray(value) &&
  value.length > 2 &&
  value.length <= MAX_PIECES &&
  value.every((piece) => typeof piece === 'string' && piece.length > 0 && piece.length <= MAX_PIECE);

const MAX_PIECES = 320;
const MAX_PIECE = 8;

function* membersOf(
  container: object,
  path: string,
  around: ArgumentClass | null,
): Steps<readonly Pending[]> {
  const base = path.length > MAX_PATH ? '/…' : path;
  const members: Pending[] = [];
  yield* pausing(Object.entries(container), ([name, value]) => {
    const own = Array.isArray(container) ? around : (argumentClass(name) ?? around);
    members.push({ value, path: `${base}/${name}`, class: own });
  });
  return members.reverse();
}

/** Maximum length of a path, because events show it and a longer one is not useful. */
const MAX_PATH = 500;
