import type { Command } from 'commander';
import { configuredProviders } from '../gateway/configured-parts.ts';
import type { Shell } from '../run-process.ts';
import { print, withAccount } from './with-storage.ts';

export function addProvidersCommand(program: Command, shell: Shell): void {
  const providers = program.command('providers').description('model provider credentials kept on a project');
  providers
    .command('set-credential')
    .description(
      'read a credential from standard input and seal it on the project; it is used where a request brings none',
    )
    .requiredOption('--provider <name>', 'such as openai or anthropic (required)')
    .option('--project <id>', 'project of the credential (default: the first)')
    .option('--json', 'print one JSON object')
    .action((options: { readonly provider: string; readonly project?: string; readonly json?: boolean }) =>
      withAccount(shell, async (storage, account, config) => {
        const names = configuredProviders(config).map((provider) => provider.name);
        if (!names.includes(options.provider)) {
          throw new Error(`There is no provider "${options.provider}"; there are ${names.join(', ')}.`);
        }
        let secret = '';
        for await (const chunk of shell.stdin.setEncoding('utf8')) secret += chunk;
        secret = secret.trim();
        if (secret === '' || secret.length > 4096) throw new Error('Send the credential on standard input.');
        const projectId = options.project ?? account.projectId;
        if ((await storage.projects.get(account.organizationId, projectId)) === null) {
          throw new Error(`There is no project ${projectId}.`);
        }
        await storage.projects.setCredential(account.organizationId, projectId, options.provider, secret);
        await storage.audit.append({
          organizationId: account.organizationId,
          kind: 'provider_credential_set',
          actor: 'operator',
          subject: projectId,
          data: { provider: options.provider },
        });
        print(shell, options.json, { project_id: projectId, provider: options.provider }, [
          `The ${options.provider} credential is sealed on project ${projectId}.`,
        ]);
      }),
    );
}
