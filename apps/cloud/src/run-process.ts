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
      `The configuration is not usable:\n${parsed.problems.map((problem) => `  ${problem}\n`).join('')}`,
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
    return `Port ${config.port} on ${config.host} is taken by another program. Stop it, or choose one with PORT=….`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST ${config.host} is no address of this machine: 127.0.0.1 serves this machine alone, 0.0.0.0 all its networks.`;
  }
  // In a worker the primary process binds the port.
  if (code === 'EACCES' && ['listen', 'bind'].includes(String(syscall))) {
    return `Port ${config.port} may not be used by this user. Choose one above 1023 with PORT=….`;
  }
  if (config.databaseUrl === undefined && (code === 'disk_full' || code === 'unavailable')) {
    return `${message} The data lies in ${config.dataDir}, where the service has to be able to write.`;
  }
  if (code === 'ENOSPC') return `The disk of ${config.dataDir} is full: ${message}`;
  // Node's error for creating a folder on a read-only disk.
  if (code === 'ENOENT' && syscall === 'mkdir') {
    return `The data folder ${config.dataDir} cannot be made: may this user write there?`;
  }
  if (code === 'EROFS') return `The folder may only be read, and the service writes there: ${message}`;
  if (code === 'EACCES') return `There is no permission for that: ${message}`;
  return message ?? String(error);
}
