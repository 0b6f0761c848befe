export const markOf = (i: number): string => `canary${i}x`;

/** Draws from a list of numbers, so that fast-check can shrink a body by shrinking the list. */
export class Draw {
  readonly #numbers: readonly number[];
  #at = 0;
  marks = 0;
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }
  below(n: number): number {
    const drawn = this.#numbers[this.#at++ % Math.max(1, this.#numbers.length)] ?? 0;
    return drawn % n;
  }
  oneOf<T>(...choices: readonly (() => T)[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new Error('nothing to choose from');
    return choice();
  }
  /** A text with a mark in it, and unusual characters around it. */
  mark(): string {
    const awkward = [
      '',
      ' ',
      '"',
      '\\',
      '\n',
      'é',
      '漢字',
      '😀',
      '\u0000',
      '\u2028',
      '</s>',
      '{',
      '%41',
      'data:',
      '~1/',
    ];
    const before = awkward[this.below(awkward.length)] ?? '';
    const after = awkward[this.below(awkward.length)] ?? '';
    return `${before}${markOf(this.marks++)}${after}`;
  }
  list<T>(max: number, make: () => T): T[] {
    return Array.from({ length: 1 + this.below(max) }, make);
  }
}

export const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

export function freeJson(d: Draw, depth = 0): unknown {
  return d.oneOf<unknown>(
    () => d.mark(),
    () => 9_007_199_254_740_991,
    () => null,
    () => true,
    () => (depth > 3 ? d.mark() : d.list(3, () => freeJson(d, depth + 1))),
    () => (depth > 3 ? d.mark() : { [d.mark()]: freeJson(d, depth + 1), type: 'image', data: d.mark() }),
    () => ({ ['__proto__x']: d.mark(), constructor: d.mark() }),
  );
}

export const withUnknown = (d: Draw, members: Record<string, unknown>): Record<string, unknown> =>
  d.below(4) === 0 ? { ...members, [d.mark()]: freeJson(d) } : members;

/** Arguments as models write them: JSON in a string, sometimes with needless escapes or truncated. */
export function argumentsText(d: Draw): string {
  const json = (): string =>
    JSON.stringify({ [d.mark()]: d.mark(), nested: { list: [d.mark(), 4_111_111] } });
  return d.oneOf(
    () => json(),
    () => json().replace(/canary/g, '\\u0063anary'),
    () => json().slice(0, -1),
    () => d.mark(),
  );
}

/** JSON as unusual clients write it: stray whitespace, needless escapes, numbers that no parser keeps. */
export function oddJson(value: unknown, numbers: readonly number[]): string {
  let at = 0;
  const below = (n: number): number => (numbers[at++ % Math.max(1, numbers.length)] ?? 0) % n;
  const space = (): string => ['', '', ' ', '\n\t', '\r\n  '][below(5)] ?? '';
  const text = (s: string): string => {
    const plain = JSON.stringify(s);
    if (below(3) !== 0) return plain;
    return plain.replace(/[a-z/é](?=[^\\]*$)/, (c) =>
      c === '/' ? '\\/' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  };
  const write = (v: unknown): string => {
    if (typeof v === 'string') return text(v);
    if (typeof v === 'number')
      return ['9007199254740993', '1.0e5', '-0', String(v), '1E400'][below(5)] ?? '0';
    if (Array.isArray(v)) return `[${space()}${v.map(write).join(`${space()},${space()}`)}${space()}]`;
    if (typeof v === 'object' && v !== null) {
      const members = Object.entries(v).map(([k, m]) => `${text(k)}${space()}:${space()}${write(m)}`);
      return `{${space()}${members.join(`,${space()}`)}${space()}}`;
    }
    return JSON.stringify(v);
  };
  return `${space()}${write(value)}${space()}`;
}
