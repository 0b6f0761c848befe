/** The character sets of a form's holes. See secrets/kinds. */
const SETS: Readonly<Record<string, string>> = {
  A: 'A-Za-z0-9',
  L: 'a-z0-9',
  U: 'A-Z0-9',
  D: '0-9',
  H: 'a-f0-9',
  X: 'A-Fa-f0-9',
  C: 'A-Za-z',
  W: 'A-Za-z0-9_-',
  B: 'A-Za-z0-9+/_-',
  V: 'A-Za-z0-9_.~-',
  I: 'ADEIMNOQTUYcgjkwxyz0-5',
  Y: 'A-Za-z0-9+/',
};

const HOLE = /\{([A-Z])(\d+)(?:-(\d+))?\}/g;

/**
 * Compiles a form to a sticky expression that must end where the key ends. Holes are single classes, so there is hardly
 * any backtracking.
 */
export function compileForm(form: string): RegExp {
  const end = form.endsWith(':') || form.endsWith('=') ? '' : '(?![A-Za-z0-9])';
  return new RegExp(sourceOf(form) + end, 'y');
}

/** Returns the source of an expression for a form, without bounds. */
export function sourceOf(form: string): string {
  let source = '';
  let at = 0;
  for (const match of form.matchAll(HOLE)) {
    source += escapeLiteral(form.slice(at, match.index));
    // JSON may escape a slash.
    const one = match[1] === 'Y' ? `(?:[A-Za-z0-9+]|\\\\{0,2}/)` : `[${SETS[match[1]!]!}]`;
    source += `${one}{${match[2]}${match[3] === undefined ? '' : `,${match[3]}`}}`;
    at = match.index + match[0].length;
  }
  return source + escapeLiteral(form.slice(at));
}

function escapeLiteral(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Returns the literal prefix of every key of the form; empty if the form begins with a hole. */
export function literalStart(form: string): string {
  const hole = form.indexOf('{');
  return hole < 0 ? form : form.slice(0, hole);
}

/** Returns the length of the longest key of the form. */
export function longestOf(form: string): number {
  return form.replace(HOLE, (_hole, _set, least: string, most = least) => ' '.repeat(Number(most))).length;
}

/** Returns the length of the shortest key of the form. */
export function shortestOf(form: string): number {
  return form.replace(HOLE, (_hole, _set, least: string) => ' '.repeat(Number(least))).length;
}
