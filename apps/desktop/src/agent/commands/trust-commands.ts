import type { Command } from 'commander';
import { connectControl } from '../control/control-client.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { AgentError } from '../settings/read-settings.ts';
import { readStatus } from '../status/read-status.ts';
import { type Json, print, printJson, printReport, terminalNotices, withParts } from './command-line.ts';

interface CertificateOptions {
  readonly print?: boolean;
  readonly profile?: boolean;
  readonly store?: string;
  readonly allow: readonly string[];
}

/** `ca` and `env`: the commands that make programs of this computer trust the agent. */
export function addTrustCommands(program: Command): void {
  program
    .command('ca')
    .description('the certificate of this computer')
    .argument('[action]', 'install, or remove')
    .option('--print', 'print it as PEM')
    .option('--profile', 'print it as a configuration profile for macOS')
    .option('--store <name>', 'only this certificate store, such as system')
    .option(
      '--allow <host>',
      'an additional host that it may cover; can be repeated',
      (host: string, hosts: readonly string[]) => [...hosts, host.toLowerCase()],
      [],
    )
    .action((action: string | undefined, options: CertificateOptions) =>
      withParts((parts) => changeCertificate(parts, action, options)),
    );
  program
    .command('env')
    .description('print variables for programs that ignore the system setting: eval "$(agent env)"')
    .option('--json', 'print one JSON object')
    .action((options: Json) =>
      withParts(async (parts) => {
        const { environmentLines, readEnvironment } = await import('./environment-command.ts');
        const hints = readEnvironment(parts, (await readStatus(parts, terminalNotices)).proxy_port);
        if (options.json) printJson(Object.fromEntries(hints.map(({ name, value }) => [name, value])));
        else print(environmentLines(hints, parts.settings.platform));
      }),
    );
}

async function changeCertificate(
  parts: AgentParts,
  action: string | undefined,
  options: CertificateOptions,
): Promise<void> {
  // Imported late: rarely needed, and it loads the tables of all providers.
  const { installCertificate, printCertificate, printProfile, removeCertificate } = await import(
    './certificate-command.ts'
  );
  if (action === undefined && options.print === true) print([printCertificate(parts).trimEnd()]);
  else if (action === undefined && options.profile === true)
    print([printProfile(parts, options.allow).trimEnd()]);
  else if (action === 'install') {
    printReport(await installCertificate(parts, { ...options, isElevated: mayBeElevated(parts) }));
    await tryAgain(parts.files);
  } else if (action === 'remove') printReport(await removeCertificate(parts, options));
  else {
    throw new AgentError('Enter "ca --print", "ca install" or "ca remove".');
  }
}

/** On Windows the process cannot determine it. */
function mayBeElevated({ settings }: AgentParts): boolean {
  return settings.platform === 'win32' || process.getuid?.() === 0;
}

/**
 * Makes a running agent direct apps to itself as soon as they trust it. Returns false if none runs. Throws AgentError
 * with the agent's sentence if it does not do so.
 */
export async function tryAgain(files: AgentParts['files']): Promise<boolean> {
  const agent = await connectControl(files.control, terminalNotices);
  try {
    await agent?.call('try-again');
  } catch (error) {
    throw new AgentError((error as Error).message);
  } finally {
    agent?.close();
  }
  return agent !== null;
}
