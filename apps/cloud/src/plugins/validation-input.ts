import type { ValidationDetail, ValidationIssue } from '@csg/shared/contract';
import { redactPii } from '@csg/shared/detection';

const MAX_INPUT_CHARACTERS = 1_000;
/** Masks beyond the cut, so that a secret that crosses it is still found. */
const MAX_SECRET_CHARACTERS = 1_000;
const SECRET_NAME = /pass(?:word|phrase)|secret|token|credential|authorization|api_?key|^code$/i;
const SECRET_MASK = '[SECRET]';
/** The userinfo of a URL, however short. */
const URL_CREDENTIALS = /(:\/\/)[^\s/?#@]*@/g;

/** The parts of a request by the first element of `loc`. */
export type RequestParts = Readonly<Record<string, unknown>>;

/**
 * Completes the items of a 422 for clients: `input` is the value at `loc` (for a missing field: its parent), and `ctx`
 * is always present. Secrets in `input` are replaced by placeholders. An `input` over 1,000 characters is truncated;
 * if it is not a string, it becomes the beginning of its JSON.
 */
export function completeDetail(issues: readonly ValidationIssue[], parts: RequestParts): ValidationDetail[] {
  return issues.map(({ loc, msg, type, ctx }) => ({
    loc: [...loc],
    msg,
    type,
    input: shownInput(loc, type === 'missing' ? loc.slice(0, -1) : loc, parts),
    ctx: ctx ?? {},
  }));
}

function shownInput(
  loc: readonly (string | number)[],
  at: readonly (string | number)[],
  parts: RequestParts,
): unknown {
  let value: unknown = parts;
  for (const name of at) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  if (value === undefined) return null;
  if (at === loc && loc.some((name) => SECRET_NAME.test(String(name)))) return SECRET_MASK;
  const masked = maskSecrets(value, { left: MAX_INPUT_CHARACTERS });
  if (typeof masked === 'string') return masked.slice(0, MAX_INPUT_CHARACTERS).toWellFormed();
  const json = JSON.stringify(masked);
  return json.length <= MAX_INPUT_CHARACTERS ? masked : json.slice(0, MAX_INPUT_CHARACTERS).toWellFormed();
}

/** Returns a copy without secrets, of about `budget.left` characters at most. */
function maskSecrets(value: unknown, budget: { left: number }): unknown {
  if (typeof value === 'string') {
    const beginning = value.slice(0, MAX_INPUT_CHARACTERS + MAX_SECRET_CHARACTERS);
    const { redacted } = redactPii(beginning.replace(URL_CREDENTIALS, `$1${SECRET_MASK}@`), ['api_key']);
    budget.left -= redacted.length;
    return redacted;
  }
  budget.left -= 8;
  if (typeof value !== 'object' || value === null) return value;
  const items: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    if (budget.left <= 0) break;
    budget.left -= name.length;
    items.push([name, SECRET_NAME.test(name) ? SECRET_MASK : maskSecrets(item, budget)]);
  }
  return Array.isArray(value) ? items.map(([, item]) => item) : Object.fromEntries(items);
}
