import { applyReplacements, type Replacement, type TextSlot, withoutOverlaps } from '../../text/index.ts';
import { type Edit, editsOf, replacementsByPath, rewrite } from './write-texts.ts';

/**
 * How many replacements writeTexts makes in the strings whose pointers begin with `under`: one that several readings of
 * a place found is made once, one that is cut over several blocks counts once.
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
    // The further pieces of a value that is cut lose theirs and get nothing.
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
