import { CREDENTIAL_NAME, DEFAULT_CREDENTIAL } from '@csg/shared/contract';
import type { Command } from 'commander';
import { configuredProviders } from '../gateway/configured-parts.ts';
import type { Shell } from '../run-process.ts';
import { AMAZON_FORM, isDamagedAmazonCredential } from '../upstream/amazon/credential.ts';
import { print, withAccount } from './with-storage.ts';

interface SetCredentialOptions {
  readonly provider: string;
  readonly project?: string;
  readonly name?: string;
  readonly models?: string;
  readonly json?: boolean;
}

export function addProvidersCommand(program: Command, shell: Shell): void {
  const providers = program.command('providers').description('stored credentials of model providers');
  providers
    .command('set-credential')
    .description(
      'read a credential from standard input and store it encrypted; it is used for requests without a credential',
    )
    .requiredOption('--provider <name>', 'such as openai or anthropic (required)')
    .option('--project <id>', 'project of the credential (default: the first)')
    .option('--name <name>', 'name of the credential, for X-Service-Credential (default: default)')
    .option('--models <list>', 'models that use this credential, separated by commas')
    .option('--json', 'print one JSON object')
    .action((options: SetCredentialOptions) =>
      withAccount(shell, async (storage, account, config) => {
        const names = configuredProviders(config).map((provider) => provider.name);
        if (!names.includes(options.provider)) {
          throw new Error(`Unknown provider "${options.provider}". Providers: ${names.join(', ')}.`);
        }
        const secret = await readSecret(shell);
        if (isDamagedAmazonCredential(secret)) throw new Error(AMAZON_FORM);
        const projectId = options.project ?? account.projectId;
        if ((await storage.projects.get(account.organizationId, projectId)) === null) {
          throw new Error(`No such project: ${projectId}.`);
        }
        const models = options.models?.split(',').map((model) => model.trim()) ?? [];
        const { name = DEFAULT_CREDENTIAL, provider } = options;
        if (!CREDENTIAL_NAME.test(name)) {
          throw new Error(
            'A name must have 1 to 64 printable ASCII characters, without leading or trailing spaces.',
          );
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
          `The ${options.provider} credential was stored (encrypted) for project ${projectId}.`,
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
