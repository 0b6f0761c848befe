import type { Command } from 'commander';
import type { Shell } from '../run-process.ts';
import { bindRepository, unbindRepository } from '../webhooks/code-hosting/bind-repository.ts';
import { print, withAccount } from './with-storage.ts';

export function addRepositoriesCommand(program: Command, shell: Shell): void {
  const repositories = program
    .command('repositories')
    .description('repositories of a code host that are scanned');
  repositories
    .command('bind')
    .description('scan the texts of a repository under the policies of a project')
    .argument('<name>', 'owner/name')
    .option('--project <id>', 'id of the project (default: the first)')
    .option('--json', 'print one JSON object')
    .action((name: string, options: { project?: string; json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId, accountId, projectId }) => {
        const admin = { organizationId, id: 'operator', userId: accountId };
        const bound = await bindRepository({ storage }, admin, options.project ?? projectId, name);
        print(shell, options.json, { repository: bound.fullName, project_id: bound.projectId }, [
          `${bound.fullName} is bound to project ${bound.projectId}.`,
        ]);
      }),
    );
  repositories
    .command('unbind')
    .description('stop scanning a repository')
    .argument('<name>', 'owner/name')
    .option('--json', 'print one JSON object')
    .action((name: string, options: { json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId, accountId }) => {
        await unbindRepository({ storage }, { organizationId, id: 'operator', userId: accountId }, name);
        print(shell, options.json, { repository: name, unbound: true }, [`${name} is no longer bound.`]);
      }),
    );
  repositories
    .command('list')
    .description('list bound repositories and their projects')
    .option('--json', 'print one JSON object')
    .action((options: { json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const found = await storage.codeRepositories.list(organizationId);
        const items = found.map((one) => ({ repository: one.fullName, project_id: one.projectId }));
        print(shell, options.json, { repositories: items }, [
          items.length === 0 ? 'No repositories are bound.' : 'Bound repositories:',
          ...items.map((one) => `  ${one.repository}  ${one.project_id}`),
        ]);
      }),
    );
}
