import {
  applyReplacementsInSteps,
  jsonScalars,
  type Replacement,
  type Steps,
  withoutOverlaps,
  withoutOverlapsInSteps,
} from '../../text/index.ts';

/** Rewrites a decoded literal; `found` are further replacements in it. */
export type RewriteLiteral = (decoded: string, found: readonly Replacement[]) => Steps<string>;

/** Literals and numbers, and characters, between two pauses. */
const STRIDE = 256;
const CHARACTERS = 8192;

/**
 * Redacts JSON inside a string so that it stays valid: matches in its raw text are clipped to the string literals and
 * numbers they touch, and a number becomes a string. `inner` rewrites the literal whose opening quote is at the key's
 * index, `apply` any other. `json` must be valid.
 */
export function* replaceInJson(
  json: string,
  found: readonly Replacement[],
  inner: ReadonlyMap<number, RewriteLiteral>,
  apply: RewriteLiteral = applyReplacementsInSteps,
): Steps<string> {
  const pending = yield* withoutOverlapsInSteps(found);
  const changes: Replacement[] = [];
  let first = 0;
  let count = 0;
  for (const { start, end } of jsonScalars(json)) {
    if (++count % STRIDE === 0) yield;
    while ((pending[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first++;
    const touching = touchingFrom(pending, first, start, end);
    const rewriteInner = inner.get(start);
    if (touching.length === 0 && rewriteInner === undefined) continue;
    const scalar = json.slice(start, end);
    const text = scalar.startsWith('"')
      ? yield* changedLiteral(scalar, touching, rewriteInner ?? apply)
      : yield* apply(scalar, [{ start: 0, end: scalar.length, text: replaceNumber(scalar, touching) }]);
    changes.push({ start, end, text: JSON.stringify(text) });
  }
  return yield* applyReplacementsInSteps(json, changes);
}

/** Returns the replacements from index `first` on that begin before `end`; their offsets are relative to `start`. */
function touchingFrom(
  pending: readonly Replacement[],
  first: number,
  start: number,
  end: number,
): Replacement[] {
  const touching: Replacement[] = [];
  for (let i = first; i < pending.length; i++) {
    const replacement = pending[i];
    if (replacement === undefined || replacement.start >= end) break;
    touching.push({ ...replacement, start: replacement.start - start, end: replacement.end - start });
  }
  return touching;
}

/** Replaces a number as a whole: the match may be in its digits written out. */
export function replaceNumber(literal: string, found: readonly Replacement[]): string {
  const mask = withoutOverlaps(found)[0]?.text ?? literal;
  // In JSON that the engine takes for plain text, its mask includes quotes.
  return /^"[^"]*"$/.test(mask) ? mask.slice(1, -1) : mask;
}

function clamp(replacement: Replacement, length: number): Replacement {
  return { ...replacement, start: Math.max(0, replacement.start), end: Math.min(length, replacement.end) };
}

/** Offsets are relative to the literal's opening quote, in its raw form. */
function* changedLiteral(
  literal: string,
  touching: readonly Replacement[],
  rewrite: RewriteLiteral,
): Steps<string> {
  const decoded = JSON.parse(literal) as string;
  if (touching.length === 0) return yield* rewrite(decoded, []);
  /** Maps every raw index to its decoded index; indexes inside an escape map to that of the escape. */
  const indexes: number[] = [0];
  let at = 0;
  for (let raw = 1; raw < literal.length - 1; at++) {
    const width = literal[raw] !== '\\' ? 1 : literal[raw + 1] === 'u' ? 6 : 2;
    for (let i = 0; i < width; i++) indexes.push(at);
    raw += width;
    if (at % CHARACTERS === 0) yield;
  }
  indexes.push(at);
  const last = literal.length - 1;
  const found = touching.map((one) => {
    const { start, end } = clamp(one, last);
    // A partly matched escape is replaced as a whole.
    const endIndex =
      end > 0 && indexes[end] === indexes[end - 1] && end > 1
        ? (indexes[end] ?? at) + 1
        : (indexes[end] ?? at);
    return { start: indexes[start] ?? at, end: endIndex, text: one.text };
  });
  return yield* rewrite(decoded, found);
}
