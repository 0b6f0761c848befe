/**
 * `npm run lab -- coverage [--least PERCENT] [--write] [path …]`: runs all tests, or those of the paths, and lists the
 * source files with too little coverage, including every process that the tests start. With `--write` it updates
 * `test/golden/coverage.json` instead, which names the tests of files without a test of their own.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sourcesElsewhere } from '../check-tests.ts';
import { readArguments } from '../options.ts';
import { isBrowserCode } from '../structure/browser-code.ts';
import { listFiles } from '../structure/list-files.ts';
import { SOURCE_FOLDERS } from '../structure/modules.ts';
import { parseSource } from '../structure/parse-source.ts';
import { runTests } from '../test.ts';
import { belowLimit } from './coverage/below-limit.ts';
import { collectCoverage, type Ran } from './coverage/collect.ts';
import { statementsOf } from './coverage/statements.ts';
import {
  COVERAGE_FILE,
  ENOUGH_PERCENT,
  mergeCoverage,
  readTestedBy,
  type TestRun,
  union,
  writeTestedBy,
} from './coverage/tested-by.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { values, operands } = readArguments({
  command: 'npm run lab -- coverage',
  about: 'Lists source files with low test coverage.',
  operands: '[path …]',
  options: {
    least: {
      type: 'string',
      value: 'PERCENT',
      default: String(ENOUGH_PERCENT),
      help: 'Minimum share of executed statements',
    },
    write: {
      type: 'boolean',
      default: false,
      help: `Also write ${COVERAGE_FILE}: the tests that cover sources without a test of their own`,
    },
  },
});
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const sources = listFiles(root, Object.values(SOURCE_FOLDERS), ['.ts']).filter(
  (file) => !isBrowserCode(file, (name) => parseSource(name, read(name))),
);
process.exitCode = values.write ? await write() : await list(Number(values.least));

async function write(): Promise<number> {
  const elsewhere = sourcesElsewhere(root);
  const runs: TestRun[] = [];
  const collect = collectCoverage(root, new Set(sources), true, ([test = ''], ran) => {
    runs.push({ test, ran: new Map([...ran].filter(([, marks]) => marks.includes(1))) });
  });
  const status = await runTests(operands, collect);
  const known = Object.entries(readTestedBy(root)).filter(([, { by }]) =>
    by.every((test) => existsSync(path.join(root, test))),
  );
  const merged = mergeCoverage(Object.fromEntries(known), elsewhere, runs);
  writeTestedBy(root, merged);
  console.log(`${COVERAGE_FILE}: ${Object.keys(merged).length} of ${elsewhere.length} files`);
  return status;
}

async function list(least: number): Promise<number> {
  const total: Ran = new Map();
  if (operands.length === 0) for (const source of sources) total.set(source, unrun(source));
  const status = await runTests(
    operands,
    collectCoverage(root, new Set(sources), false, (_, ran) => {
      for (const [source, marks] of ran) total.set(source, union([marks, total.get(source) ?? marks]));
    }),
  );
  const below = belowLimit(total, least);
  for (const { file, percent } of below) console.log(`${String(percent).padStart(3)}%  ${file}`);
  console.log(`${below.length} files with a statement coverage below ${least}%`);
  return status === 0 && below.length === 0 ? 0 : 1;
}

/** Only a complete run has to load every file. */
function unrun(source: string): Uint8Array {
  return new Uint8Array(statementsOf(source, read(source)).length);
}
