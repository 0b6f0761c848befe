import type { FastifyBaseLogger } from 'fastify';
import { destination, pino } from 'pino';
import { type Config, parseConfig } from './config/parse-config.ts';

/** Structured logs go to standard error, so that standard output stays for people and for `--json`. */
export function createLog(level: string): FastifyBaseLogger {
  return pino({ level, base: null }, destination({ fd: 2, sync: false }));
}

/** The process edge: environment in, work done, one sentence and exit code 1 where it cannot be. */
export async function runProcess(
  work: (config: Config, log: FastifyBaseLogger) => Promise<void>,
): Promise<void> {
  const parsed = parseConfig(process.env);
  if (!parsed.ok) {
    process.stderr.write(
      `The configuration is not usable:\n${parsed.faults.map((fault) => `  ${fault}\n`).join('')}`,
    );
    process.exitCode = 2;
    return;
  }
  try {
    await work(parsed.config, createLog(levelFor(parsed.config)));
  } catch (error) {
    process.stderr.write(`${sentenceOf(error, parsed.config)}\n`);
    process.exitCode = 1;
  }
}

/** A person at a terminal reads the welcome, not a stream of JSON, unless they ask for it. */
function levelFor(config: Config): string {
  return process.env['LOG_LEVEL'] === undefined && process.stderr.isTTY ? 'warn' : config.logLevel;
}

function sentenceOf(error: unknown, config: Config): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return `Port ${config.port} on ${config.host} is taken by another program. Stop it, or choose one with PORT=….`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST ${config.host} is no address of this machine: 127.0.0.1 serves this machine alone, 0.0.0.0 all its networks.`;
  }
  if (code === 'EACCES' && (error as NodeJS.ErrnoException).syscall === 'listen') {
    return `Port ${config.port} may not be used by this user. Choose one above 1023 with PORT=….`;
  }
  if (code === 'EACCES') return `There is no permission for that: ${message}`;
  return message ?? String(error);
}
