import { readFileSync } from 'node:fs';

/** Texts of one name, in order. */
export type Section = readonly [name: string, texts: readonly string[]];

/**
 * Reads a `.txt` of texts: `== name` begins a section, every other line is a text, and lines that begin with `# ` are
 * comments. A name may come twice. Throws if a text stands before the first name.
 */
export function readSections(file: URL): Section[] {
  const sections: [string, string[]][] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('# ')) continue;
    const [, name] = /^== (\w+)$/.exec(line) ?? [];
    if (name !== undefined) sections.push([name, []]);
    else if (sections.length === 0) throw new Error(`${file.pathname}: "${line}" belongs to no section`);
    else sections.at(-1)![1].push(line);
  }
  return sections;
}

/** Reads a `.jsonl`: one JSON object per line. */
export function readJsonLines<T>(file: URL): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
