import type { Replacement, TextSlot } from '../text/index.ts';

/** Verdict.replacements (by slot index) as writeTexts takes them: by path, joined slots taken apart. */
export function replacementsByPath(
  slots: readonly TextSlot[],
  byIndex: ReadonlyMap<number, readonly Replacement[]>,
): Map<string, Replacement[]> {
  throw new Error(`not written yet ${slots.length} ${byIndex.size}`);
}

/**
 * Writes redactions into a body's source. Only the string literals concerned change; every other character stays
 * as written. Paths are those of the slots that were read from the same source.
 */
export function writeTexts(
  source: string,
  replacements: ReadonlyMap<string, readonly Replacement[]>,
): string {
  throw new Error(`not written yet ${source.length} ${replacements.size}`);
}
