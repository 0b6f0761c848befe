import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '../../../test/support/random.ts';
import { type Row, readRows } from './examples.ts';

/** Harmless texts of one maker: more would teach its manner. */
const MAX_OF_SOURCE = 300;
const MAX_LENGTH = 6_000;
/** Texts written one by one are few beside the grammar’s, and closest to what people type. */
const TIMES = 4;

export type TextKind = 'user' | 'data';

interface WrittenRow extends Row {
  readonly family?: string;
  readonly author?: string;
}

const written = (name: string): string => fileURLToPath(new URL(`written/${name}.jsonl`, import.meta.url));
/** Ordinary prompts and tool results that look a little like attacks, with attacks one meaning away. */
export const ORDINARY = written('ordinary');
/** Users’ texts in many languages. */
export const LANGUAGES = written('languages');

export function kindOf({ role = 'user' }: Row): TextKind | null {
  if (role === 'user') return 'user';
  return role === 'tool_result' || role === 'document' ? 'data' : null;
}

/** True for a request that is an attack only beside its system prompt, which these readings do not see. */
export function needsPrompt({ beside }: Row & { readonly beside?: boolean }): boolean {
  return beside === true;
}

/**
 * True for a text that teaches the readings of words: not what only a prompt beside it makes an attack, and no code,
 * from which they would learn that odd text is one.
 */
export function isLearnedAlone(row: Row): boolean {
  return !needsPrompt(row) && !/encod/.test(row.category ?? '');
}

/** Returns harmless texts of other makers, at most so many of each. `folder`: the detection files. */
export function readMoreHarmless(folder: string, kind: TextKind, random: Random): Row[] {
  const taken = new Map<string, number>();
  return random.shuffled(readRows(join(folder, 'more/harmless.train.jsonl'))).filter((row) => {
    if (kindOf(row) !== kind || row.text.length > MAX_LENGTH) return false;
    const count = (taken.get(row.source) ?? 0) + 1;
    taken.set(row.source, count);
    return count <= MAX_OF_SOURCE;
  });
}

/** Returns the texts that were written one by one, as often as they count; their source is their author. */
export function readWritten(folder: string, kind: TextKind): Row[] {
  const rows = [join(folder, 'written.jsonl'), LANGUAGES, ORDINARY].flatMap(
    (path) => readRows(path) as WrittenRow[],
  );
  const own = rows
    .filter((row) => kindOf(row) === kind && isLearnedAlone(row))
    .map((row) => ({
      ...row,
      category: row.family ?? row.category ?? '',
      source: row.author ?? row.source,
    }));
  return Array.from({ length: TIMES }, () => own).flat();
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const CODE_LISTS = 600;

/** Lists of codes: part numbers, escapes, positions. Many alike words in one line say nothing. */
export function codeLists(random: Random): Row[] {
  return Array.from({ length: CODE_LISTS }, (_none, at) => {
    const [before, between] = random.pick([
      ['', ' '],
      ['', ', '],
      ['\\', ' '],
      ['\\', '?'],
      ['#', ' '],
      ['', '\n'],
      ['0', ' '],
      ['%', ''],
    ] as const);
    const letter = random.pick([...LETTERS]);
    const code = (): string => {
      const first = random.chance(0.5) ? letter : random.pick([...LETTERS]);
      return (
        before +
        (random.chance(0.3) ? first.toUpperCase() : first) +
        random.below(10 ** (1 + random.below(4)))
      );
    };
    const text = Array.from({ length: 3 + random.below(90) }, code).join(between);
    return { id: `codes-${at}`, text, label: 0, category: 'code-lists', source: 'grammar' };
  });
}
