/**
 * Checks every source file against the import table of structure/modules.ts (`X may not import Y, because …`), and
 * rejects cycles.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { importCycles } from './structure/import-cycles.ts';
import { manifestOf, type Project } from './structure/import-violations.ts';
import { listFiles } from './structure/list-files.ts';
import { stateViolations } from './structure/module-state.ts';
import {
  LONG_LINES,
  lengthViolation,
  moduleViolations,
  nameViolations,
  type Violation,
} from './structure/module-violations.ts';
import { type Module, SOURCE_FOLDERS } from './structure/modules.ts';
import { importedBy, parseSource } from './structure/parse-source.ts';

const ENDINGS = ['.ts', '.tsx', '.mjs'];

/** Tables and texts, which may be long. */
const DATA_FILES = [
  /^shared\/detection\/(?:rules|lexicon)\//,
  /\/tables\.ts$/,
  /-bodies\.ts$/,
  /^test\/(?:fixtures|golden)\//,
  // Generated from the OpenAPI file.
  /^shared\/client\/schema\.ts$/,
];

/**
 * What may import the laboratory, because only it has what they need: grammars that make traffic, and another gateway.
 * Nothing of the product may.
 */
const LAB_READERS: readonly string[] = [
  'test/e2e/guard-adapter.test.ts',
  'test/shared/detection/detectors/passages.test.ts',
  'test/shared/detection/model-budget.test.ts',
];
const LAB = 'scripts/lab/';

/** Known cycles that still have to be removed; a resolved one must be deleted from this list. */
const OPEN_CYCLES: readonly string[] = [];

export interface Structure {
  readonly violations: readonly Violation[];
  /** Files over 300 lines: not yet a violation. */
  readonly long: readonly string[];
}

export function checkModules(root: string): Structure {
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
    dependencies(module: Module) {
      const manifest = manifestOf(module);
      const known =
        dependencies.get(manifest) ?? new Set(Object.keys(JSON.parse(read(manifest)).dependencies ?? {}));
      dependencies.set(manifest, known);
      return known;
    },
  };
  const violations: Violation[] = [];
  const long: string[] = [];
  for (const file of sources) {
    const source = parseSource(file, read(file));
    violations.push(...moduleViolations(file, source, project), ...stateViolations(file, source));
  }
  for (const file of others) violations.push(...nameViolations(file));
  for (const file of [...sources, ...others]) {
    const text = read(file);
    const isData = DATA_FILES.some((pattern) => pattern.test(file));
    const violation = lengthViolation(file, text, isData);
    if (violation !== undefined) violations.push(violation);
    else if (!isData && text.split('\n').length > LONG_LINES) long.push(file);
  }
  const targetOf = (file: string, specifier: string): string =>
    path.posix.join(path.posix.dirname(file), specifier);
  const imports = new Map(
    [...sources, ...others].map((file) => [
      file,
      importedBy(file, read(file)).map((specifier) => targetOf(file, specifier)),
    ]),
  );
  violations.push(...cycleViolations(imports), ...labViolations(imports));
  return { violations, long };
}

/** Returns files outside of the laboratory that import it. */
export function labViolations(imports: ReadonlyMap<string, readonly string[]>): Violation[] {
  return [...imports]
    .filter(([file]) => !file.startsWith(LAB) && !LAB_READERS.includes(file))
    .flatMap(([file, targets]) =>
      targets
        .filter((target) => target.startsWith(LAB))
        .map((target) => ({
          file,
          line: 1,
          text: `may not import ${target}: the laboratory is no part of the product`,
        })),
    );
}

function cycleViolations(imports: ReadonlyMap<string, readonly string[]>): Violation[] {
  const cycles = importCycles(imports).map((cycle) => cycle.join(' '));
  const found = cycles.filter((cycle) => !OPEN_CYCLES.includes(cycle));
  const gone = OPEN_CYCLES.filter((cycle) => !cycles.includes(cycle));
  return [
    ...found.map((cycle) => ({
      file: cycle.split(' ')[0]!,
      line: 1,
      text: `is part of an import cycle (${cycle}): move the shared code to a file of its own`,
    })),
    ...gone.map((cycle) => ({
      file: 'scripts/check-modules.ts',
      line: 1,
      text: `OPEN_CYCLES names ${cycle}, which is no longer a cycle`,
    })),
  ];
}

if (import.meta.main) {
  const { violations, long } = checkModules(path.resolve(import.meta.dirname, '..'));
  for (const { file, line, text } of violations) console.error(`${file}:${line}  ${text}`);
  for (const file of long) console.log(`${file} is longer than ${LONG_LINES} lines: consider splitting it`);
  if (violations.length > 0) process.exitCode = 1;
}
