import { OPT_IN_TYPES, piiSpans, SENSITIVE_TYPES, sensitiveRow, type Workspace } from '@csg/shared/detection';
import { applyReplacements, type Replacement } from '@csg/shared/text';

const ROWS = [...SENSITIVE_TYPES, ...OPT_IN_TYPES];
/** Splits a masked text into its masks and the text between them. */
const MASKS = /(\[[A-Z][A-Z_]+\])/;

/**
 * Returns the replacements of a text with the exact position of each value: the service returns only the masked text,
 * so with two adjacent masks the end of the first value is unknown. Null if the engine on the device does not find the
 * same values.
 */
export function maskPositions(
  text: string,
  replacements: readonly Replacement[],
  workspace: Workspace,
): readonly Replacement[] | null {
  const written = applyReplacements(text, replacements);
  const types = ROWS.filter(({ placeholder }) => written.includes(placeholder)).map(({ type }) => type);
  const spans = piiSpans(text, types, workspace);
  const isValue = ({ start, end, text: mask }: Replacement): boolean =>
    spans.some((span) => span.start === start && span.end === end && mask.includes(maskOf(span.type)));
  if (replacements.every(isValue)) return replacements;
  const [first = '', ...pieces] = written.split(MASKS);
  if (!text.startsWith(first)) return null;
  const found: Replacement[] = [];
  let at = first.length;
  for (let i = 0; i < pieces.length; i += 2) {
    const mask = pieces[i]!;
    const next = pieces[i + 1] ?? '';
    if (text.startsWith(mask + next, at)) at += mask.length + next.length;
    else {
      const span = spans.find(
        ({ start, end, type }) => start === at && maskOf(type) === mask && text.startsWith(next, end),
      );
      if (span === undefined) return null;
      found.push({ start: at, end: span.end, text: mask });
      at = span.end + next.length;
    }
  }
  return at === text.length ? found : null;
}

const maskOf = (type: string): string => sensitiveRow(type).placeholder;
