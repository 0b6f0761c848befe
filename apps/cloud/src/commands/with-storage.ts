import { existsSync } from 'node:fs';
import path from 'node:path';
import { visibleText } from '@csg/shared/text';
import type { Config } from '../config/parse-config.ts';
import { type FirstAccount, setUpService } from '../flows/set-up-service.ts';
import { openConfiguredStorage, SYSTEM_CLOCK } from '../gateway/configured-parts.ts';
import { runProcess, type Shell } from '../run-process.ts';
import { DATABASE_FILE } from '../storage/engines/open-engine.ts';
import { makeKey } from '../storage/key-format.ts';
import type { Storage } from '../storage/storage.ts';

/** Runs one command on the configured storage, also while the service runs, and always closes it. */
export function withStorage(
  shell: Shell,
  work: (storage: Storage, config: Config) => Promise<void>,
): Promise<void> {
  return runProcess(shell, async (config, log) => {
    log.level = shell.env['LOG_LEVEL'] === undefined ? 'warn' : config.logLevel;
    const isNew = config.databaseUrl === undefined && !existsSync(path.join(config.dataDir, DATABASE_FILE));
    const storage = await openConfiguredStorage(config, log);
    // Likely the folder of another service was meant.
    if (isNew) shell.stderr.write(`Created a new database in ${config.dataDir} (GATEWAY_DATA_DIR).\n`);
    try {
      await work(storage, config);
    } finally {
      await storage.close();
    }
  });
}

/** Does the same for commands on the operator's account, which is created if the service has never run. */
export function withAccount(
  shell: Shell,
  work: (storage: Storage, account: FirstAccount, config: Config) => Promise<void>,
): Promise<void> {
  return withStorage(shell, async (storage, config) => {
    const account = await setUpService({ storage, clock: SYSTEM_CLOCK, makeKey }, null);
    await work(storage, account, config);
  });
}

/** Prints one JSON object with `--json`, else lines for a person, without characters that a terminal would obey. */
export function print(
  { stdout }: Shell,
  json: boolean | undefined,
  value: object,
  lines: readonly string[],
): void {
  stdout.write(json ? `${JSON.stringify(value)}\n` : `${visibleText(lines.join('\n'))}\n`);
}
