import type { ControlOptions } from '../control/control-client.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { openAgentParts } from '../host/open-agent.ts';
import { AgentError, readSettings } from '../settings/read-settings.ts';

export interface Json {
  readonly json?: boolean;
}

/** Runs a command. An error becomes one sentence on standard error and a nonzero exit code. */
export async function withParts(work: (parts: AgentParts) => Promise<void> | void): Promise<void> {
  try {
    await work(await openAgentParts(readSettings(process.env), process.env));
  } catch (error) {
    const sentence =
      error instanceof AgentError
        ? error.message
        : `Internal error of the agent: ${(error as Error).message}`;
    process.stderr.write(`${sentence}\n`);
    process.exitCode = 1;
  }
}

export function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Reports waits on standard error, so that standard output does not change. */
export const terminalNotices: ControlOptions = {
  onWait: (sentence) => void process.stderr.write(`${sentence}\n`),
};

/** Prints one line for each completed step, and one sentence for each that failed. */
export function printReport(report: {
  readonly done: readonly string[];
  readonly left: readonly string[];
}): void {
  print(report.done);
  for (const sentence of report.left) process.stderr.write(`${sentence}\n`);
  if (report.left.length > 0) process.exitCode = 1;
}
