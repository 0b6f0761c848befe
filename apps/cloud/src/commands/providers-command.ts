import { CREDENTIAL_NAME, DEFAULT_CREDENTIAL } from '@csg/shared/contract';
import type { Command } from 'commander';
import { configuredProviders } from '../gateway/configured-parts.ts';
import type { Shell } from '../run-process.ts';
import { print, withAccount } from './with-storage.ts';

interface SetCredentialOptions {
  readonly provider: string;
  readonly project?: string;
  readonly name?: string;
  readonly models?: string;
  readonly json?: boolean;
}

export function addProvidersCommand(program: Command, shell: Shell): void {
  const providers = program.command('providers').description('model provider credentials kept on a project');
  providers
    .command('set-credential')
    .description(
      'read a credential from standard input and seal it on the project; it is used where a request brings none',
    )
    .requiredOption('--provider <name>', 'such as openai or anthropic (required)')
    .option('--project <id>', 'project of the credential (default: the first)')
    .option('--name <name>', 'of one of several credentials, for X-Service-Credential (default: default)')
    .option('--models <list>', 'models it is used for, with commas between')
    .option('--json', 'print one JSON object')
    .action((options: SetCredentialOptions) =>
      withAccount(shell, async (storage, account, config) => {
        const names = configuredProviders(config).map((provider) => provider.name);
        if (!names.includes(options.provider)) {
          throw new Error(`There is no provider "${options.provider}"; there are ${names.join(', ')}.`);
        }
        const secret = await readSecret(shell);
        const projectId = options.project ?? account.projectId;
        if ((await storage.projects.get(account.organizationId, projectId)) === null) {
          throw new Error(`There is no project ${projectId}.`);
        }
        const models = options.models?.split(',').map((model) => model.trim()) ?? [];
        const { name = DEFAULT_CREDENTIAL, provider } = options;
        if (!CREDENTIAL_NAME.test(name)) {
          throw new Error('A name has 1 to 64 printable ASCII characters, without spaces around.');
        }
        await storage.projects.setCredential(account.organizationId, projectId, provider, secret, {
          ...{ name, models },
        });
        await storage.audit.append({
          organizationId: account.organizationId,
          kind: 'provider_credential_set',
          actor: 'operator',
          subject: projectId,
          data: { provider, name },
        });
        print(shell, options.json, { project_id: projectId, provider: options.provider }, [
          `The ${options.provider} credential is sealed on project ${projectId}.`,
        ]);
      }),
    );
}

async function readSecret({ stdin }: Shell): Promise<string> {
  let secret = '';
  for await (const chunk of stdin.setEncoding('utf8')) secret += chunk;
  secret = secret.trim();
  if (secret === '' || secret.length > 4096) throw new Error('Send the credential on standard input.');
  return secret;
}
