import { Command } from 'commander';
import { installCertificate, printCertificate, removeCertificate } from './commands/certificate-command.ts';
import { environmentLines, readEnvironment } from './commands/environment-command.ts';
import { addRequestCommands } from './commands/request-commands.ts';
import { connectControl } from './control/control-client.ts';
import type { Finding } from './control/control-messages.ts';
import { enroll } from './enrollment/enroll.ts';
import {
  type EnrollmentSource,
  readEnrollmentSource,
  withTokenFrom,
} from './enrollment/enrollment-source.ts';
import { unenroll } from './enrollment/unenroll.ts';
import { type AgentParts, openAgentParts } from './host/open-agent.ts';
import { runAgent } from './run-agent.ts';
import { AgentError, readSettings } from './settings/read-settings.ts';
import { writeDiagnostics } from './status/diagnostics.ts';
import { diagnose } from './status/doctor.ts';
import { readStatus } from './status/read-status.ts';

interface Json {
  readonly json?: boolean;
}

/** The agent's commands. What went wrong is one sentence on standard error, and a code that is not 0. */
export function createProgram(): Command {
  const program = new Command('agent')
    .description('Content Security Agent')
    .showHelpAfterError('(add --help for what there is)')
    .helpCommand(false);
  program
    .command('enroll')
    .description('enroll this computer')
    .option('--server <url>', 'address of the service')
    .option('--token-stdin', 'read the enrollment token, or the link, from standard input')
    .option('--token <token>', 'enrollment token; other programs of this computer can read it here')
    .option('--link <link>', 'enrollment link, csg://enroll?…')
    .option('--managed <file>', 'file of a managed installation: {"server", "token"}')
    .option('--name <name>', 'what this computer is called there; default: its host name')
    .option('--json', 'print one JSON object')
    .action((options: EnrollmentSource & Json & { readonly tokenStdin?: boolean }) =>
      withParts(async (parts) => {
        const source = options.tokenStdin === true ? await readToken(options) : options;
        const done = await enroll(parts, readEnrollmentSource(source));
        if (options.json) return printJson({ enrolled: true, device_id: done.deviceId, server: done.server });
        print([
          `This computer is enrolled as "${done.deviceName}" with ${done.accountName}.`,
          ...(parts.vault.kind === 'file'
            ? [
                `Its credential lies in ${parts.vault.location}${parts.settings.vault === 'auto' ? ': this machine has no keychain' : ''}.`,
              ]
            : []),
          'Next: "agent ca install" lets apps trust its certificate, "agent run" starts the protection.',
        ]);
      }),
    );
  program
    .command('run')
    .description('protect this computer until it is stopped')
    .action(() => withParts(runUntilStopped));
  program
    .command('status')
    .description('what the agent does')
    .option('--json', 'print one JSON object')
    .action((options: Json) =>
      withParts(async (parts) => {
        const status = await readStatus(parts);
        if (options.json) return printJson(status);
        print([
          status.problem ?? `This computer is protected: the proxy is 127.0.0.1:${status.proxy_port}.`,
          ...(status.enrolled ? [`Enrolled as "${status.device_name}" at ${status.server}.`] : []),
          ...(status.update === null ? [] : [status.update.sentence]),
          ...(status.events_waiting > 0 ? [`${status.events_waiting} decisions wait to be reported.`] : []),
        ]);
      }),
    );
  program
    .command('doctor')
    .description('what is wrong, and what to do')
    .option('--json', 'print one JSON object')
    .action((options: Json) =>
      withParts(async (parts) => {
        const findings = await diagnose(parts);
        if (options.json) printJson({ findings });
        else print(findings.map(lineOf));
        if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1;
      }),
    );
  program
    .command('ca')
    .description('the certificate of this computer')
    .argument('[action]', 'install, or remove')
    .option('--print', 'print it as PEM')
    .option('--store <name>', 'only this place that keeps certificates, such as system')
    .action((action: string | undefined, options: { print?: boolean; store?: string }) =>
      withParts(async (parts) => {
        if (action === undefined && options.print === true) return print([printCertificate(parts).trimEnd()]);
        if (action === 'install') {
          printReport(await installCertificate(parts, options.store));
          return await notifyAgent(parts);
        }
        if (action === 'remove') return printReport(await removeCertificate(parts, options.store));
        throw new AgentError(
          'Say what to do with the certificate: "ca --print", "ca install" or "ca remove".',
        );
      }),
    );
  program
    .command('env')
    .description('what programs have to be told that follow no setting of the machine: eval "$(agent env)"')
    .option('--json', 'print one JSON object')
    .action((options: Json) =>
      withParts(async (parts) => {
        const hints = readEnvironment(parts, (await readStatus(parts)).proxy_port);
        if (options.json) printJson(Object.fromEntries(hints.map(({ name, value }) => [name, value])));
        else print(environmentLines(hints, parts.settings.platform));
      }),
    );
  addRequestCommands(program, { withParts, print, printJson });
  program
    .command('diagnostics')
    .description('one file for whoever helps; no text, credential or key is in it')
    .option('--out <file>', 'where to', 'content-security-agent-diagnostics.json')
    .action(({ out }: { out: string }) =>
      withParts(async (parts) => {
        await writeDiagnostics(parts, out, Date.now());
        print([`Written to ${out}. Look through it before you hand it on.`]);
      }),
    );
  program
    .command('unenroll')
    .description('remove every trace of the agent from this computer')
    .action(() => withParts(async (parts) => printReport(await unenroll(parts))));
  return program;
}

async function readToken(options: EnrollmentSource): Promise<EnrollmentSource> {
  if (process.stdin.isTTY) process.stderr.write('Enrollment token: ');
  const source = await withTokenFrom(process.stdin, options);
  process.stdin.destroy();
  return source;
}

/** One that runs leads apps to itself as soon as they trust it. */
async function notifyAgent({ files }: AgentParts): Promise<void> {
  const agent = await connectControl(files.control);
  await agent?.call('try-again').catch(() => null);
  agent?.close();
}

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: 'ok   ', note: 'note ', fault: 'FAULT' };

function lineOf({ state, name, sentence }: Finding): string {
  return `${MARKS[state]}  ${name}: ${sentence}`;
}

async function runUntilStopped(parts: AgentParts): Promise<void> {
  const other = await connectControl(parts.files.control);
  if (other !== null) {
    other.close();
    throw new AgentError('The agent runs already on this computer.');
  }
  const agent = await runAgent(parts, (line) => print([line]));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void agent.stop());
  await agent.ended;
  print(['The agent has stopped; the settings of this computer are as they were.']);
}

async function withParts(work: (parts: AgentParts) => Promise<void> | void): Promise<void> {
  try {
    await work(await openAgentParts(readSettings(process.env), process.env));
  } catch (error) {
    const sentence =
      error instanceof AgentError ? error.message : `The agent has a fault: ${(error as Error).message}`;
    process.stderr.write(`${sentence}\n`);
    process.exitCode = 1;
  }
}

function printReport({
  done,
  left,
}: {
  readonly done: readonly string[];
  readonly left: readonly string[];
}): void {
  print(done);
  for (const sentence of left) process.stderr.write(`${sentence}\n`);
  if (left.length > 0) process.exitCode = 1;
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

if (import.meta.main) {
  await createProgram().parseAsync();
}
