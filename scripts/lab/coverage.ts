/**
 * `npm run lab -- coverage [--least PERCENT] [path …]`: runs all tests, or those of the paths, and lists the
 * source files with too little coverage, including every process that the tests start.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readArguments } from '../options.ts';
import { listFiles } from '../structure/list-files.ts';
import { SOURCE_FOLDERS } from '../structure/modules.ts';
import { runTests } from '../testing/run-tests.ts';
import { belowLimit } from './coverage/below-limit.ts';
import { isBrowserCode } from './coverage/browser-code.ts';
import { collectCoverage, type Ran } from './coverage/collect.ts';
import { statementsOf } from './coverage/statements.ts';

const ENOUGH_PERCENT = 80;
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
  },
});
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const sources = listFiles(root, Object.values(SOURCE_FOLDERS), ['.ts']).filter(
  (file) => !isBrowserCode(file, read),
);
process.exitCode = await list(Number(values.least));

async function list(least: number): Promise<number> {
  const total: Ran = new Map();
  if (operands.length === 0) for (const source of sources) total.set(source, unrun(source));
  const status = await runTests(
    operands,
    collectCoverage(root, new Set(sources), false, (_, ran) => {
      for (const [source, marks] of ran) total.set(source, union(marks, total.get(source) ?? marks));
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

/** Returns the statements that ran in any of them. */
function union(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((ran, index) => ran | other[index]!);
}
