import type { Steps } from './steps.ts';

/**
 * Serializes a value with the names of every object sorted by UTF-16 code unit, without spaces and undefined members
 * (RFC 8785), so that signer and verifier get the same text for the same value. Throws TypeError on values that JSON
 * cannot represent.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('JSON has no such number');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`JSON has no word for a ${typeof value}`);
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  if (arePlain(members, names)) return JSON.stringify(isSorted(names) ? members : sorted(members, names));
  const parts: string[] = [];
  for (const name of names.sort()) {
    if (members[name] === undefined) continue;
    parts.push(`${JSON.stringify(name)}:${canonicalJson(members[name])}`);
  }
  return `{${parts.join(',')}}`;
}

/** Does the same in steps. */
export function* canonicalJsonInSteps(value: unknown): Steps<string> {
  if (typeof value !== 'object' || value === null) return canonicalJson(value);
  if (Array.isArray(value)) {
    const items: string[] = [];
    for (const item of value) {
      items.push(yield* canonicalJsonInSteps(item));
      if (items.length % STRIDE === 0) yield;
    }
    return `[${items.join(',')}]`;
  }
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  if (names.length < STRIDE && arePlain(members, names)) return canonicalJson(value);
  const parts: string[] = [];
  for (const name of yield* sortedInSteps(names)) {
    if (members[name] === undefined) continue;
    parts.push(`${JSON.stringify(name)}:${yield* canonicalJsonInSteps(members[name])}`);
    if (parts.length % STRIDE === 0) yield;
  }
  return `{${parts.join(',')}}`;
}

/** Members and items between two pauses. */
const STRIDE = 64;
/** Names that are sorted at once. */
const RUN = 1_024;

/** Sorts runs of names, and merges them. */
function* sortedInSteps(names: readonly string[]): Steps<readonly string[]> {
  let runs: (readonly string[])[] = [];
  for (let at = 0; at < names.length; at += RUN) {
    runs.push(names.slice(at, at + RUN).sort());
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at]!, runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(one: readonly string[], other: readonly string[]): Steps<string[]> {
  const all: string[] = [];
  for (let [i, j] = [0, 0]; i < one.length || j < other.length; ) {
    const isOne = j === other.length || (i < one.length && one[i]! <= other[j]!);
    all.push(isOne ? one[i++]! : other[j++]!);
    if (all.length % RUN === 0) yield;
  }
  return all;
}

/** True if JSON.stringify writes the members as they are: as for most signed values, in a quarter of the time. */
function arePlain(members: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  for (const name of names) {
    const value = members[name];
    const isPlain =
      value === null ||
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      (typeof value === 'number' && Number.isFinite(value));
    if (!isPlain || !ORDINARY.test(name)) return false;
  }
  return true;
}

/** A name that an object keeps in its place: not a number, which comes first, and not `__proto__`. */
const ORDINARY = /^[a-z]/i;

function isSorted(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++) if (names[i]! < names[i - 1]!) return false;
  return true;
}

function sorted(
  members: Readonly<Record<string, unknown>>,
  names: string[],
): Readonly<Record<string, unknown>> {
  const copy: Record<string, unknown> = {};
  for (const name of names.sort()) copy[name] = members[name];
  return copy;
}

/**
 * Returns the text to sign: a line that names the format, so that no text signed for another purpose can be used in its
 * place, then the value.
 */
export function signedText(format: string, value: unknown): string {
  return `${format}\n${canonicalJson(value)}`;
}
