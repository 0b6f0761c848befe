import type { Command } from 'commander';
import {
  type EnrollmentSource,
  readEnrollmentSource,
  withTokenFrom,
} from '../enrollment/enrollment-source.ts';
import type { AgentParts } from '../host/open-agent.ts';
import type { Enrollment } from '../settings/state-files.ts';
import { type Json, print, printJson, printReport, terminalNotices, withParts } from './command-line.ts';

/** `enroll` and `unenroll`. */
export function addEnrollmentCommands(program: Command): void {
  program
    .command('enroll')
    .description('enroll this computer')
    .option('--server <url>', 'URL of the service')
    .option('--token-stdin', 'read the enrollment token, or the link, from standard input')
    .option('--token <token>', 'enrollment token; other programs on this computer can read it')
    .option('--link <link>', 'enrollment link, csg://enroll?…')
    .option('--managed <file>', 'file of a managed installation: {"server", "token"}')
    .option('--name <name>', 'name of this computer in the dashboard; default: its host name')
    .option('--json', 'print one JSON object')
    .action((options: EnrollmentSource & Json & { readonly tokenStdin?: boolean }) =>
      withParts(async (parts) => {
        const source = options.tokenStdin === true ? await readToken(options) : options;
        const { enroll } = await import('../enrollment/enroll.ts');
        const done = await enroll(parts, readEnrollmentSource(source));
        if (options.json) printJson({ enrolled: true, device_id: done.deviceId, server: done.server });
        else print(linesOf(done, parts));
      }),
    );
  program
    .command('unenroll')
    .description('remove the agent and all its traces from this computer')
    .action(() =>
      withParts(async (parts) => {
        const { unenroll } = await import('../enrollment/unenroll.ts');
        printReport(await unenroll(parts, terminalNotices));
      }),
    );
}

async function readToken(options: EnrollmentSource): Promise<EnrollmentSource> {
  if (process.stdin.isTTY) process.stderr.write('Enrollment token: ');
  const source = await withTokenFrom(process.stdin, options);
  process.stdin.destroy();
  return source;
}

function linesOf(
  { deviceName, accountName }: Enrollment,
  { vault, settings }: AgentParts,
): readonly string[] {
  const why = settings.vault === 'auto' ? ', because this computer has no keychain' : '';
  return [
    `This computer is enrolled as "${deviceName}" with ${accountName}.`,
    ...(vault.kind === 'file' ? [`Its credential is stored in ${vault.location}${why}.`] : []),
    'Next: run "agent ca install" to make apps trust its certificate, then "agent run" to start protection.',
  ];
}
