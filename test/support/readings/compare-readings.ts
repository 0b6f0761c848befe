/** The reading of a named text. */
export interface Reading {
  readonly name: string;
  readonly text: string;
  /** Empty if there is nothing to report. */
  readonly reading: string;
  /** The full content whose digest is the reading. */
  readonly details?: (() => string) | undefined;
}

export type Readings = Iterable<Reading>;

/** The recorded form: a line for each text with a reading. */
export function recordOf(readings: Readings): string {
  const results = [...readings].filter(({ reading }) => reading !== '');
  return JSON.stringify(Object.fromEntries(results.map(({ name, reading }) => [name, reading])), null, 1);
}

const MAX_SHOWN = 5;
const MAX_TEXT = 600;

/** The first texts whose reading differs from the recorded one, with the difference. */
export function differences(readings: Readings, recorded: Readonly<Record<string, string>>): string[] {
  const found: string[] = [];
  const names = new Set<string>();
  for (const { name, text, reading, details } of readings) {
    if (names.has(name)) found.push(`two texts are called ${name}`);
    names.add(name);
    const before = recorded[name] ?? '';
    if (before === reading) continue;
    const shown = JSON.stringify(text).slice(0, MAX_TEXT);
    const more = found.length === 0 && details !== undefined ? `\n${details()}` : '';
    found.push(`${name}: ${shown}\n  recorded ${before}\n  reads    ${reading}${more}`);
    if (found.length === MAX_SHOWN) return found;
  }
  const gone = Object.keys(recorded).filter((name) => !names.has(name));
  return [...found, ...gone.map((name) => `${name} is recorded, and is no text any more`)];
}
