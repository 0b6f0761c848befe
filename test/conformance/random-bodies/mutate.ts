import { WORDS } from '../../../shared/providers/index.ts';
import { base64, type Draw, freeJson } from './marked-texts.ts';

type Holder = Record<string | number, unknown>;

const NAMES = [...WORDS.names];
const VALUES = [...WORDS.values];

/** A position in a body: its container, and its name or index. */
interface Spot {
  readonly holder: Holder;
  readonly at: string | number;
}

function spotsOf(value: unknown, spots: Spot[] = []): Spot[] {
  if (typeof value !== 'object' || value === null) return spots;
  for (const at of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    spots.push({ holder: value as Holder, at });
    spotsOf((value as Holder)[at], spots);
  }
  return spots;
}

const nameOf = (d: Draw): string => NAMES[d.below(NAMES.length)] ?? 'text';
const typeOf = (d: Draw): string => VALUES[d.below(VALUES.length)] ?? 'text';

/** Texts that encode other texts: JSON in a string, files, addresses. */
function disguised(d: Draw): string {
  const text = d.mark();
  return d.oneOf(
    () => text,
    () => JSON.stringify({ [d.mark()]: text, list: [text] }),
    () => JSON.stringify(text).replace(/c/g, '\\u0063'),
    () => `data:text/plain;base64,${base64(text)}`,
    () => `data:image/png;base64,${base64(text)}`,
    () => `data:,${encodeURIComponent(text)}`,
    () => base64(text.repeat(d.below(40) + 1)),
    () => `https://e.test/${text}`,
  );
}

/** Mutates a body: known names and types in unexpected places, undocumented shapes. */
export function mutate(body: Record<string, unknown>, d: Draw, times: number): Record<string, unknown> {
  const changed = structuredClone(body);
  for (let i = 0; i < times; i++) {
    const spots = spotsOf(changed);
    const spot = spots[(d.below(5_003) * 71 + d.below(5_003)) % Math.max(1, spots.length)];
    if (spot === undefined) return changed;
    const { holder, at } = spot;
    const was = holder[at];
    d.oneOf<void>(
      () => setMember(holder, at, disguised(d)),
      () => setMember(holder, at, [was, d.mark()]),
      () => setMember(holder, at, { [nameOf(d)]: was, [d.mark()]: d.mark() }),
      () => setMember(holder, at, { type: typeOf(d), [nameOf(d)]: was, [nameOf(d)]: disguised(d) }),
      () => setMember(holder, at, freeJson(d)),
      () => addMember(was, nameOf(d), disguised(d)),
      () => addMember(was, nameOf(d), freeJson(d)),
      () => addMember(was, 'type', typeOf(d)),
      () =>
        addMember(
          was,
          'role',
          d.oneOf(d.mark.bind(d), () => typeOf(d)),
        ),
      () => addMember(holder, nameOf(d), structuredClone(was)),
      () => renameMember(holder, at, nameOf(d)),
      () => {
        const other = spots[d.below(spots.length)];
        if (other !== undefined) setMember(holder, at, structuredClone(other.holder[other.at]));
      },
    );
  }
  return changed;
}

/** Bodies grow by copies of their own parts; beyond this size they only cost time. */
const MAX_CHARACTERS = 60_000;

function setMember(holder: Holder, at: string | number, value: unknown): void {
  if (JSON.stringify(value ?? null).length < MAX_CHARACTERS) holder[at] = value;
}

function addMember(holder: unknown, name: string, value: unknown): void {
  if (typeof holder !== 'object' || holder === null) return;
  if (Array.isArray(holder)) holder.push(value);
  else setMember(holder as Holder, name, value);
}

function renameMember(holder: Holder, at: string | number, name: string): void {
  if (Array.isArray(holder) || Object.hasOwn(holder, name)) return;
  const value = holder[at];
  delete holder[at];
  holder[name] = value;
}

/** Deletes, duplicates or replaces single bytes. */
export function damage(source: string, d: Draw): string {
  let text = source;
  for (let i = d.below(4); i > 0; i--) {
    const at = (d.below(5_003) * 71 + d.below(5_003)) % Math.max(1, text.length);
    const length = 1 + d.below(12);
    text = d.oneOf(
      () => text.slice(0, at) + text.slice(at + length),
      () => text.slice(0, at + length) + text.slice(at),
      () =>
        text.slice(0, at) +
        ['"', '\\', '{', '}', '[', ']', ',', ':', '\u0000', '\\ud83d', '"a":"b",'][d.below(11)] +
        text.slice(at),
      () => text.slice(0, at) + String.fromCharCode(32 + d.below(95)) + text.slice(at + 1),
    );
  }
  return text;
}
