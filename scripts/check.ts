/** `npm run check`: all static checks of the project, one line each. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { styleText } from 'node:util';
import { readOptions } from './options.ts';

interface Step {
  readonly name: string;
  /** Arguments for this Node. */
  readonly args: readonly string[];
}

const BIOME = 'node_modules/@biomejs/biome/bin/biome';
const RULE_TESTS = 'test/shared/detection/rules.test.ts';

const KNIP = 'node_modules/knip/bin/knip.js';

const STEPS: readonly Step[] = [
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  {
    name: 'types of the dashboard',
    args: ['node_modules/typescript/bin/tsc', '-p', 'apps/cloud/dashboard'],
  },
  {
    name: 'types of the window',
    args: ['node_modules/typescript/bin/tsc', '-p', 'apps/desktop/src/window'],
  },
  {
    name: 'lint and format',
    args: [BIOME, 'check', '--max-diagnostics=20', '.'],
  },
  { name: 'modules', args: ['scripts/check-modules.ts'] },
  { name: 'dead exports', args: [KNIP, '--no-progress', '--no-config-hints'] },
  {
    name: 'exports for tests',
    args: [KNIP, '--production', '--config', 'knip.production.json', '--no-progress', '--no-config-hints'],
  },
  { name: 'tests mirror sources', args: ['scripts/check-tests.ts'] },
  { name: 'documents', args: ['scripts/check-docs.ts'] },
  { name: 'commit titles', args: ['scripts/check-commits.ts'] },
  { name: 'packages', args: ['scripts/check-packages.ts'] },
  { name: 'golden files', args: ['scripts/golden.ts'] },
  { name: 'weights', args: ['scripts/lab/check-weights.ts'] },
  { name: 'rule samples', args: ['--test', RULE_TESTS] },
];

interface Outcome {
  readonly step: Step;
  readonly passed: boolean;
  readonly output: string;
  readonly ms: number;
}

function runStep(step: Step, root: string): Promise<Outcome> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, step.args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const add = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.on('close', (code) => {
      resolve({ step, passed: code === 0, output, ms: performance.now() - startedMs });
    });
  });
}

function report({ step, passed, output, ms }: Outcome): string {
  const mark = passed ? styleText('green', '✓') : styleText('red', '✗');
  const time = styleText('dim', `${(ms / 1000).toFixed(1)} s`);
  const text = passed ? '' : `${output.trimEnd().replaceAll(/^/gm, '    ')}\n`;
  return `${mark} ${step.name.padEnd(22)} ${time}\n${text}`;
}

if (import.meta.main) {
  const { fix } = readOptions({
    command: 'npm run check --',
    about: 'Runs all checks except the tests.',
    options: {
      fix: { type: 'boolean', default: false, help: 'First format all files and sort their imports' },
    },
  });
  const root = path.resolve(import.meta.dirname, '..');
  if (fix) await runStep({ name: 'format', args: [BIOME, 'check', '--write', '.'] }, root);
  const outcomes = await Promise.all(
    STEPS.map(async (step) => {
      const outcome = await runStep(step, root);
      process.stdout.write(report(outcome));
      return outcome;
    }),
  );
  const failed = outcomes.filter(({ passed }) => !passed);
  if (failed.length > 0) {
    console.error(
      `\n${failed.length} of ${outcomes.length} failed: ${failed.map(({ step }) => step.name).join(', ')}`,
    );
    process.exitCode = 1;
  }
}
