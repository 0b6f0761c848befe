import cluster from 'node:cluster';
import type { Readable, Writable } from 'node:stream';
import { ValidationError } from '@csg/shared/contract';
import type { FastifyBaseLogger } from 'fastify';
import { destination, pino } from 'pino';
import { type Config, parseConfig } from './config/parse-config.ts';

/** The environment, streams and exit code of a program. A Node process has all of it. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly fd?: number; readonly isTTY?: boolean };
  exitCode?: NodeJS.Process['exitCode'];
}

/** Structured logs go to standard error, so that standard output is free for people and for `--json`. */
function createLog(level: string, { stderr }: Shell): FastifyBaseLogger {
  const base = cluster.worker === undefined ? null : { worker: cluster.worker.id };
  return pino(
    { level, base },
    stderr.fd === undefined ? stderr : destination({ fd: stderr.fd, sync: false }),
  );
}

/** Runs `work`; on failure prints one sentence and sets exit code 1. `given` overrides the environment. */
export async function runProcess(
  shell: Shell,
  work: (config: Config, log: FastifyBaseLogger) => Promise<void>,
  given: Shell['env'] = {},
): Promise<void> {
  const parsed = parseConfig({ ...shell.env, ...given });
  if (!parsed.ok) {
    shell.stderr.write(
      `The configuration is invalid:\n${parsed.problems.map((problem) => `  ${problem}\n`).join('')}`,
    );
    shell.exitCode = 2;
    return;
  }
  try {
    await work(parsed.config, createLog(levelFor(parsed.config, shell), shell));
  } catch (error) {
    shell.stderr.write(`${sentenceOf(error, parsed.config)}\n`);
    shell.exitCode = 1;
    // The channel to the primary process would keep this one alive.
    cluster.worker?.disconnect();
  }
}

/** A person at a terminal gets the welcome text instead of JSON logs, unless LOG_LEVEL is set. */
function levelFor(config: Config, { env, stderr }: Shell): string {
  return env['LOG_LEVEL'] === undefined && stderr.isTTY ? 'warn' : config.logLevel;
}

function sentenceOf(error: unknown, config: Config): string {
  if (error instanceof ValidationError) return error.detail.map(({ msg }) => msg).join(' ');
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return `Port ${config.port} on ${config.host} is already in use. Stop the other program, or choose another port with PORT=….`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST ${config.host} is not an address of this computer. Use 127.0.0.1 to serve this computer only, or 0.0.0.0 for all networks.`;
  }
  // In a worker the primary process binds the port.
  if (code === 'EACCES' && ['listen', 'bind'].includes(String(syscall))) {
    return `This user may not use port ${config.port}. Choose a port above 1023 with PORT=….`;
  }
  if (config.databaseUrl === undefined && (code === 'disk_full' || code === 'unavailable')) {
    return `${message} The data folder is ${config.dataDir}; the service must be able to write there.`;
  }
  if (code === 'ENOSPC') return `The disk of ${config.dataDir} is full: ${message}`;
  // Node's error for creating a folder on a read-only disk.
  if (code === 'ENOENT' && syscall === 'mkdir') {
    return `The data folder ${config.dataDir} could not be created. Check that this user may write there.`;
  }
  if (code === 'EROFS') return `The folder is read-only, but the service must write there: ${message}`;
  if (code === 'EACCES') return `Permission denied: ${message}`;
  return message ?? String(error);
}
