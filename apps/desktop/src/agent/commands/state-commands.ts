import type { Command } from 'commander';
import type { AgentStatus, Finding } from '../control/control-messages.ts';
import { AgentError } from '../settings/read-settings.ts';
import { readStatus } from '../status/read-status.ts';
import { administratorSentence, protectionSentence } from '../status/status-sentences.ts';
import { type Json, print, printJson, terminalNotices, withParts } from './command-line.ts';
import { tryAgain } from './trust-commands.ts';

/**
 * `status`, `doctor`, `retry` and `diagnostics`. Each loads its own dependencies late: most calls ask for the status.
 */
export function addStateCommands(program: Command): void {
  program
    .command('status')
    .description('show the status of the agent')
    .option('--json', 'print one JSON object')
    .action((options: Json) =>
      withParts(async (parts) => {
        const status = await readStatus(parts, terminalNotices);
        if (options.json) printJson(status);
        else {
          print(linesOf(status));
          process.exitCode = exitCodeOf(status);
        }
      }),
    );
  program
    .command('doctor')
    .description('find problems and show how to fix them')
    .option('--json', 'print one JSON object')
    .action((options: Json) =>
      withParts(async (parts) => {
        const { diagnose } = await import('../status/doctor.ts');
        const findings = await diagnose(parts, await readStatus(parts, terminalNotices));
        if (options.json) printJson({ findings });
        else print(findings.map(lineOf));
        if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1;
      }),
    );
  program
    .command('retry')
    .description('start the proxy again after it failed repeatedly')
    .action(() =>
      withParts(async (parts) => {
        if (!(await tryAgain(parts.files)))
          throw new AgentError('The agent is not running. Start it with "agent run".');
        print(['The agent is restarting its proxy. "agent status" shows the result.']);
      }),
    );
  program
    .command('diagnostics')
    .description('write a file for support, without texts, credentials or keys')
    .option('--out <file>', 'file to write', 'content-security-agent-diagnostics.json')
    .action(({ out }: { out: string }) =>
      withParts(async (parts) => {
        const { writeDiagnostics } = await import('../status/diagnostics.ts');
        await writeDiagnostics(parts, out, Date.now(), terminalNotices);
        print([`Written to ${out}. Review it before you share it.`]);
      }),
    );
}

const NOT_PROTECTED = 1;
/** The code that service managers use. */
const NOT_RUNNING = 3;

/** For scripts that read the exit code; with --json the state is in the object. */
function exitCodeOf({ running, proxy_port, system_proxy, revoked, ...status }: AgentStatus): number {
  if (!running) return NOT_RUNNING;
  const isComplete = status.unread.length === 0 && status.needs_administrator.length === 0;
  const isProtected = proxy_port !== null && system_proxy !== 'not_set' && !revoked && isComplete;
  return isProtected ? 0 : NOT_PROTECTED;
}

function administratorLines({ needs_administrator: hosts }: AgentStatus): readonly string[] {
  return hosts.length === 0 ? [] : [administratorSentence(hosts)];
}

function linesOf(status: AgentStatus): readonly string[] {
  return [
    status.problem ?? protectionSentence(status) ?? 'The proxy is starting.',
    ...(status.enrolled ? [`Enrolled as "${status.device_name}" at ${status.server}.`] : []),
    ...administratorLines(status),
    ...status.unread,
    ...(status.last_reported_at === null
      ? []
      : [`Last reported to the service at ${status.last_reported_at}.`]),
    ...(status.update === null ? [] : [status.update.sentence]),
    ...(status.events_waiting > 0 ? [`Unsent events: ${status.events_waiting}.`] : []),
  ];
}

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: 'ok   ', note: 'note ', fault: 'FAULT' };

function lineOf({ state, name, sentence }: Finding): string {
  return `${MARKS[state]}  ${name}: ${sentence}`;
}
