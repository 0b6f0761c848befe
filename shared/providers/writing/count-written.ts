import {
  applyReplacementsInSteps,
  type Replacement,
  type Steps,
  type TextSlot,
  withoutOverlapsInSteps,
} from '../../text/index.ts';
import { type Edit, editsOf, replacementsByPathInSteps, rewrite } from './write-texts.ts';

/**
 * Returns how many replacements writeTexts makes in the strings whose pointers start with `under`: one found by several
 * readings of the same place, or split over several blocks, counts once.
 */
export function* countWritten(
  slots: readonly TextSlot[],
  byIndex: ReadonlyMap<number, readonly Replacement[]>,
  under: readonly string[] = [''],
): Steps<number> {
  if (byIndex.size === 0) return 0;
  const texts = new Map(slots.map(({ path, text }) => [path, text]));
  yield;
  const byPath = yield* replacementsByPathInSteps(slots, byIndex);
  const edits = yield* editsOf(
    new Map([...byPath].filter(([path]) => under.some((start) => path.startsWith(start)))),
  );
  let count = 0;
  function* apply(text: string, list: readonly Replacement[]): Steps<string> {
    // The further pieces of a split value are only removed.
    count += (yield* withoutOverlapsInSteps(list)).filter((one) => one.text !== '').length;
    return yield* applyReplacementsInSteps(text, list);
  }
  function* countIn(path: string, { own, data, literals }: Edit): Steps<void> {
    if (data !== null) yield* countIn(`${path}~data`, data);
    yield* rewrite(texts.get(path) ?? '', { own, data: null, literals }, apply);
    yield;
  }
  for (const [pointer, edit] of edits.values) yield* countIn(pointer, edit);
  for (const [pointer, edit] of edits.names) yield* countIn(`${pointer}~key`, edit);
  return count;
}
