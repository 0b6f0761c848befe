import { styleText } from 'node:util';
import { CodedError } from '@csg/shared/contract';
import { listPresets, parsePreset } from '@csg/shared/detection';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config/parse-config.ts';
import { createScanner } from '../detection-workers/scanner.ts';
import { runAllTests } from '../flows/security-testing/run-security-tests.ts';
import { SYSTEM_CLOCK } from '../gateway/configured-parts.ts';
import type { Shell } from '../run-process.ts';
import { findProbe } from '../security-testing/all-probes.ts';
import type { Storage } from '../storage/storage.ts';
import { type Mark, securityTestLines } from './security-test-table.ts';
import { print, withAccount } from './with-storage.ts';

interface SecurityTestOptions {
  readonly preset: string;
  readonly json?: boolean;
}

export function addSecurityTestCommand(program: Command, shell: Shell): void {
  program
    .command('security-test')
    .description('test the engine with attacks and harmless texts; exits with 0 if every test could be run')
    .option('--preset <name>', `strict, support_bot, or use_case:strictness`, parsePresetName, 'default')
    .option('--json', 'print one JSON object')
    .action((options: SecurityTestOptions) =>
      withAccount(shell, (storage, { organizationId }, config) =>
        run(shell, storage, organizationId, config, options),
      ),
    );
}

function parsePresetName(text: string): string {
  if (parsePreset(text) === undefined)
    throw new InvalidArgumentError(`Presets are ${listPresets().join(', ')}.`);
  return text;
}

async function run(
  shell: Shell,
  storage: Storage,
  organizationId: string,
  config: Config,
  options: SecurityTestOptions,
): Promise<void> {
  // The report is long; a reader that closes early, such as `head`, is not an error.
  shell.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const mark: Mark = (text, meaning) =>
    styleText(meaning === 'bad' ? 'red' : 'yellow', text, { stream: shell.stdout });
  const scanner = createScanner({ workers: config.scanWorkers, deadlineMs: config.scanDeadlineMs });
  try {
    const tester = { organizationId, projectId: null, actor: 'operator' };
    const deps = { scanner, storage, clock: SYSTEM_CLOCK };
    const summary = await runAllTests(deps, tester, options.preset);
    const lines = securityTestLines(summary, (name) => findProbe(name)?.description ?? '', mark);
    if (options.json) print(shell, true, summary, []);
    // With the colors of a terminal.
    else shell.stdout.write(`${lines.join('\n')}\n`);
    if (summary.errored_count + summary.harmless.errored_count > 0) shell.exitCode = 1;
  } catch (error) {
    // Add the cause, which the message alone does not contain.
    const cause = error instanceof CodedError ? error.cause : undefined;
    throw cause instanceof Error ? new Error(`${(error as Error).message} (${cause.message})`) : error;
  } finally {
    await scanner.close();
  }
}
