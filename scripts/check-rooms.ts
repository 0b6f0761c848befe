/** Holds every source file to the import table of structure/rooms.ts: `X may not import Y, because …`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { manifestOf, type Project } from './structure/import-faults.ts';
import { listFiles } from './structure/list-files.ts';
import { type Room, SOURCE_FOLDERS } from './structure/rooms.ts';
import { type Fault, LONG_LINES, lengthFault, nameFaults, sourceFaults } from './structure/source-faults.ts';

const ENDINGS = ['.ts', '.tsx', '.mjs'];

/** Tables and texts: as long as their subject. */
const DATA_FILES = [
  /^shared\/detection\/(?:rules|lexicon)\//,
  /\/tables\.ts$/,
  /-bodies\.ts$/,
  /^test\/(?:fixtures|golden)\//,
  /^scripts\/structure\/tested-elsewhere\.ts$/,
  // Made from the OpenAPI file.
  /^shared\/client\/schema\.ts$/,
];

export interface Structure {
  readonly faults: readonly Fault[];
  /** Files over 300 lines: no fault yet. */
  readonly long: readonly string[];
}

export function checkRooms(root: string): Structure {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const sources = listFiles(root, Object.values(SOURCE_FOLDERS), ENDINGS);
  const others = listFiles(root, ['scripts', 'test'], ENDINGS);
  const dependencies = new Map<string, ReadonlySet<string>>();
  const project: Project = {
    files: new Set([
      ...sources,
      ...others,
      ...listFiles(root, Object.values(SOURCE_FOLDERS), ['.json', '.css']),
    ]),
    dependencies(room: Room) {
      const manifest = manifestOf(room);
      const known =
        dependencies.get(manifest) ?? new Set(Object.keys(JSON.parse(read(manifest)).dependencies ?? {}));
      dependencies.set(manifest, known);
      return known;
    },
  };
  const faults: Fault[] = [];
  const long: string[] = [];
  for (const file of sources) faults.push(...sourceFaults(file, read(file), project));
  for (const file of others) faults.push(...nameFaults(file));
  for (const file of [...sources, ...others]) {
    const text = read(file);
    const isData = DATA_FILES.some((pattern) => pattern.test(file));
    const fault = lengthFault(file, text, isData);
    if (fault !== undefined) faults.push(fault);
    else if (!isData && text.split('\n').length > LONG_LINES) long.push(file);
  }
  return { faults, long };
}

if (import.meta.main) {
  const { faults, long } = checkRooms(path.resolve(import.meta.dirname, '..'));
  for (const { file, line, text } of faults) console.error(`${file}:${line}  ${text}`);
  for (const file of long) console.log(`${file} is longer than ${LONG_LINES} lines: is it still one thing?`);
  if (faults.length > 0) process.exitCode = 1;
}
