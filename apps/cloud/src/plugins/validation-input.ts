import type { ValidationDetail, ValidationIssue } from '@csg/shared/contract';
import { redactPii } from '@csg/shared/detection';

const MAX_INPUT_CHARACTERS = 1_000;
/** A secret that crosses the cut has to be found before it. */
const MAX_SECRET_CHARACTERS = 1_000;
const SECRET_NAME = /pass(?:word|phrase)|secret|token|credential|authorization|api_?key|^code$/i;
const SECRET_MASK = '[SECRET]';
/** The user and password of a URL, however short. */
const URL_CREDENTIALS = /(:\/\/)[^\s/?#@]*@/g;

/** Where the parts of a request stand, by the first element of `loc`. */
export type RequestParts = Readonly<Record<string, unknown>>;

/**
 * The items of a 422 as clients get them: `input` is the value at `loc` (of a missing field: what it is missing in),
 * and `ctx` is always present. Secrets in `input` are replaced by placeholders; an `input` over 1,000 characters is
 * cut, and one that is no string is then the beginning of its JSON.
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

/** A copy without secrets, of not much more than `budget.left` characters. */
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
