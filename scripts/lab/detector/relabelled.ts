import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

interface Labeled {
  readonly id: string;
  readonly label: 0 | 1;
  readonly role?: string;
}

/** Reasons for which a text teaches nothing: no whole text, or a model's refusal. */
const DROPPED = ['fragment', 'refusal', 'needs-system', 'other'];

/** By file and id: why a text that its maker calls an attack is none. */
const REASONS: ReadonlyMap<string, string> = new Map(
  readFileSync(new URL('relabelled.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [file, id, reason] = line.split('\t');
      return [`${file} ${id}`, reason!];
    }),
);

/**
 * Labels the texts of a file by what an attack is (docs/detection.md): a role, a style, a rule for the form of the answer
 * or a harmful question without a wrapper is none. In data such a text is left out, because nobody but the user may ask
 * there.
 */
export function relabel<T extends Labeled>(rows: readonly T[], path: string): T[] {
  const file = basename(path);
  return rows.flatMap((row): T[] => {
    const reason = REASONS.get(`${file} ${row.id}`);
    if (reason === undefined) return [row];
    const isUsers = (row.role ?? 'user') === 'user';
    return isUsers && !DROPPED.includes(reason) ? [{ ...row, label: 0 }] : [];
  });
}
