/** The length of the longest match of a pattern; Infinity if a part of it can be repeated any number of times. */
export function longestMatch(source: string): number {
  let at = 0;
  const alternatives = (): number => {
    let most = sequence();
    while (source[at] === '|') {
      at++;
      most = Math.max(most, sequence());
    }
    return most;
  };
  const sequence = (): number => {
    let sum = 0;
    while (at < source.length && source[at] !== '|' && source[at] !== ')') sum += repeated();
    return sum;
  };
  const repeated = (): number => {
    const one = atom();
    const quantifier = QUANTIFIER.exec(source.slice(at));
    if (quantifier === null) return one;
    at += quantifier[0].length;
    return one === 0 ? 0 : one * timesOf(quantifier);
  };
  const atom = (): number => {
    const sign = source[at++];
    if (sign === '(') return group();
    if (sign === '[') return characterClass();
    if (sign === '\\') return escaped();
    return sign === '^' || sign === '$' ? 0 : 1;
  };
  const group = (): number => {
    const kind = GROUP.exec(source.slice(at))?.[0] ?? '';
    at += kind.length;
    const length = alternatives();
    at++;
    return kind === '' || kind === '?:' ? length : 0;
  };
  const characterClass = (): number => {
    if (source[at] === '^') at++;
    do if (source[at] === '\\') at++;
    while (source[++at] !== ']');
    at++;
    return 1;
  };
  const escaped = (): number => {
    const sign = source[at++]!;
    if (/p/i.test(sign) && source[at] === '{') at = source.indexOf('}', at) + 1;
    return /b/i.test(sign) ? 0 : 1;
  };
  return alternatives();
}

const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;
const GROUP = /^\?(?::|<?[=!])/;

function timesOf([quantifier]: RegExpExecArray): number {
  if (/^[*+]/.test(quantifier)) return Number.POSITIVE_INFINITY;
  if (quantifier.startsWith('?')) return 1;
  const [, least, comma, most] = /(\d+)(,?)(\d*)/.exec(quantifier)!;
  if (comma === '') return Number(least);
  return most === '' ? Number.POSITIVE_INFINITY : Number(most);
}
