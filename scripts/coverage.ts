/**
 * `npm run coverage [-- --least PERCENT] [path …]`: runs the tests, or those of the paths, and lists the source files that
 * they run too little of, in every process that they start. c8 reads what Node wrote; npm fetches it on the first run.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { belowLimit } from './coverage/below-limit.ts';
import { installPackages } from './install-packages.ts';
import { readArguments } from './options.ts';
import { listFiles } from './structure/list-files.ts';
import { parseSource } from './structure/parse-source.ts';
import { SOURCE_FOLDERS } from './structure/rooms.ts';

const root = path.resolve(import.meta.dirname, '..');
const { values, operands } = readArguments({
  command: 'npm run coverage --',
  about: 'Lists source files that the tests run too little of.',
  operands: '[path …]',
  options: {
    least: { type: 'string', value: 'PERCENT', default: '80', help: 'Of the lines of a file' },
  },
});

const tools = path.join(root, 'node_modules/.cache/coverage');
await installPackages(tools, { c8: '12.0.0' });
const folder = mkdtempSync(path.join(os.tmpdir(), 'csg-coverage-'));
try {
  const tests = spawnSync(process.execPath, [path.join(root, 'scripts/test.ts'), ...operands], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_V8_COVERAGE: path.join(folder, 'raw') },
  });
  const report = ['report', '--temp-directory', path.join(folder, 'raw'), '--reports-dir', folder];
  const included = ['apps', 'shared'].flatMap((name) => ['--include', `${name}/**/*.ts`]);
  const options = [
    '--reporter',
    'json-summary',
    '--merge-async',
    '--exclude',
    '**/node_modules/**',
    ...included,
  ];
  spawnSync(process.execPath, [path.join(tools, 'node_modules/c8/bin/c8.js'), ...report, ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const summary = JSON.parse(readFileSync(path.join(folder, 'coverage-summary.json'), 'utf8'));
  const files = operands.length > 0 ? [] : sourcesWithFunctions();
  const below = belowLimit(root, summary, Number(values.least), files);
  for (const { file, percent } of below) console.log(`${percent.toFixed(1).padStart(5)}%  ${file}`);
  console.log(`${below.length} files of which less than ${values.least}% of the lines ran`);
  process.exitCode = tests.status === 0 && below.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A whole run has to load every one of them. */
function sourcesWithFunctions(): string[] {
  return listFiles(root, Object.values(SOURCE_FOLDERS), ['.ts']).filter(
    (file) => parseSource(file, readFileSync(path.join(root, file), 'utf8')).exportsFunction,
  );
}
