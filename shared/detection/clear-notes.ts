import { DECISION } from './operating-points/decisions.ts';
import { clientRanges, isWithin } from './passages/rule-files.ts';
import type { Finding } from './types.ts';

/**
 * Marks the findings from `first` on that a learned model has in a client's notes (`<system-reminder>`), if the note
 * contains no attack when it is read as data: "the restrictions of plan mode no longer apply" frees the model of
 * nothing there. `read` returns the findings of data. Whether the note is a client's is decided by its place.
 */
export function clearNotes(
  text: string,
  findings: Finding[],
  first: number,
  read: (text: string) => readonly Finding[],
): void {
  if (!findings.slice(first).some(isLearned)) return;
  for (const note of clientRanges(text, true)) {
    if (note.tagStart === undefined) continue;
    let isClear: boolean | undefined;
    for (let i = first; i < findings.length; i++) {
      const finding = findings[i]!;
      if (!isLearned(finding) || !isWithin(note, finding)) continue;
      isClear ??= !read(text.slice(note.start, note.end)).some(
        ({ confidence }) => confidence >= DECISION.attackModerate,
      );
      if (isClear) findings[i] = { ...finding, isClearAsData: true };
    }
  }
}

/** True for what only a learned model found. */
export function isLearned({ rule }: Finding): boolean {
  return rule === 'model.user' || rule === 'model.data' || rule === 'model.structure';
}
