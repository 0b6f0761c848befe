import { applyReplacements, type Replacement, type TextSlot, withoutOverlaps } from '../../text/index.ts';
import { type Edit, editsOf, replacementsByPath, rewrite } from './write-texts.ts';

/**
 * Returns how many replacements writeTexts makes in the strings whose pointers start with `under`: one found by several
 * readings of the same place, or split over several blocks, counts once.
 */
export function countWritten(
  slots: readonly TextSlot[],
  byIndex: ReadonlyMap<number, readonly Replacement[]>,
  under: readonly string[] = [''],
): number {
  const texts = new Map(slots.map(({ path, text }) => [path, text]));
  const byPath = replacementsByPath(slots, byIndex);
  const edits = editsOf(
    new Map([...byPath].filter(([path]) => under.some((start) => path.startsWith(start)))),
  );
  let count = 0;
  const apply = (text: string, list: readonly Replacement[]): string => {
    // The further pieces of a split value are only removed.
    count += withoutOverlaps(list).filter((one) => one.text !== '').length;
    return applyReplacements(text, list);
  };
  const countIn = (path: string, { own, data, literals }: Edit): void => {
    if (data !== null) countIn(`${path}~data`, data);
    rewrite(texts.get(path) ?? '', { own, data: null, literals }, apply);
  };
  for (const [pointer, edit] of edits.values) countIn(pointer, edit);
  for (const [pointer, edit] of edits.names) countIn(`${pointer}~key`, edit);
  return count;
}
