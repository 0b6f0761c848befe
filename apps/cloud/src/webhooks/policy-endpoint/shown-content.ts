import { applyReplacements, type Replacement, type SlotRole, type TextSlot } from '@csg/shared/text';
import { diffArrays } from 'diff';

/** Separator between two texts of one body. */
const BETWEEN = '\n\n';
/** Bounds the time of a comparison; a limit in milliseconds would make verdicts depend on the machine's load. */
const MAX_EDITS = 1_000;

const words = (text: string): string[] => text.match(/\s|\S+/g) ?? [];

/**
 * The content of a body that the endpoint gets: the texts of people, the model and data, in order. For a stream, the
 * complete text of each choice, block or item.
 */
export interface ShownContent {
  readonly content: string;
  readonly parts: readonly {
    readonly slot: number;
    readonly start: number;
    readonly end: number;
    readonly isNumber?: boolean;
  }[];
}

/** Roles that are neither people's nor the model's words. */
const ASIDE: ReadonlySet<SlotRole> = new Set([
  'tool_definition',
  'credential',
  'identifier',
  'metadata',
  'other',
]);

export function shownContent(slots: readonly TextSlot[]): ShownContent {
  const parts: ShownContent['parts'][number][] = [];
  let content = '';
  for (const [slot, { role, text, isKey, isNumber, path }] of slots.entries()) {
    if (ASIDE.has(role) || isKey === true || path.startsWith('#joined:') || text === '') continue;
    if (content !== '') content += BETWEEN;
    const [start, end] = [content.length, content.length + text.length];
    parts.push({ slot, start, end, ...(isNumber === true && { isNumber }) });
    content += text;
  }
  return { content, parts };
}

/**
 * Converts the endpoint's redaction to replacements in the affected slots. Null if a change cannot be assigned to a
 * text: the separator of two texts was changed, or nearly all words of several texts.
 */
export function replacementsFor(
  { content, parts }: ShownContent,
  redacted: string,
): ReadonlyMap<number, readonly Replacement[]> | null {
  if (redacted === content) return new Map();
  const changes = diffArrays(words(content), words(redacted), { maxEditLength: MAX_EDITS });
  if (changes === undefined) return wholeText(parts, redacted);
  const bySlot = new Map<number, Replacement[]>();
  let at = 0;
  let pending: { start: number; end: number; text: string } | null = null;
  const addPending = (): boolean => {
    if (pending === null) return true;
    const { start, end, text } = pending;
    pending = null;
    const part = parts.find((one) => one.start <= start && end <= one.end);
    if (part === undefined) return false;
    const list = bySlot.get(part.slot) ?? [];
    const own = content.slice(part.start, part.end);
    addChange(list, own, { start: start - part.start, end: end - part.start, text });
    bySlot.set(part.slot, list);
    return true;
  };
  for (const { added, removed, value } of changes) {
    const text = value.join('');
    if (!added && !removed) {
      if (!addPending()) return null;
      at += text.length;
      continue;
    }
    pending ??= { start: at, end: at, text: '' };
    if (added) pending.text += text;
    else at += text.length;
    pending.end = at;
  }
  if (!addPending()) return null;
  changeNumbersWhole(bySlot, { content, parts });
  return bySlot;
}

function wholeText(parts: ShownContent['parts'], text: string): Map<number, readonly Replacement[]> | null {
  const [only, ...others] = parts;
  if (only === undefined || others.length > 0) return null;
  return new Map([[only.slot, [{ start: 0, end: only.end - only.start, text }]]]);
}

function changeNumbersWhole(bySlot: Map<number, Replacement[]>, { content, parts }: ShownContent): void {
  for (const { slot, start, end, isNumber } of parts) {
    const list = bySlot.get(slot);
    if (isNumber !== true || list === undefined) continue;
    const text = applyReplacements(content.slice(start, end), list);
    bySlot.set(slot, [{ start: 0, end: end - start, text }]);
  }
}

/** A replacement never has an empty range: an insertion joins the previous change or a neighboring character. */
function addChange(list: Replacement[], own: string, { start, end, text }: Replacement): void {
  const last = list.at(-1);
  if (start < end) list.push({ start, end, text });
  else if (last?.end === start) list[list.length - 1] = { ...last, text: last.text + text };
  else if (start > 0) list.push({ start: start - 1, end, text: own.slice(start - 1, start) + text });
  else list.push({ start: 0, end: 1, text: text + own.slice(0, 1) });
}
