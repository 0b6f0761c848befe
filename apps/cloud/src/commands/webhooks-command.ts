import type { Command } from 'commander';
import { addWebhook, listWebhooks, removeWebhook } from '../flows/endpoints/project-webhooks.ts';
import { SYSTEM_CLOCK } from '../gateway/configured-parts.ts';
import type { Shell } from '../run-process.ts';
import { operatorCaller } from './operator-caller.ts';
import { print, withAccount } from './with-storage.ts';

interface ProjectOptions {
  readonly project?: string;
  readonly json?: boolean;
}

/** Adds commands for a project's webhooks. A running service applies changes within a second. */
export function addWebhooksCommand(program: Command, shell: Shell): void {
  const webhooks = program.command('webhooks').description('endpoints that receive events of a project');
  const add = (name: string, description: string): Command =>
    webhooks
      .command(name)
      .description(description)
      .option('--project <id>', 'id of the project (default: the first)')
      .option('--json', 'print one JSON object');
  add('list', 'list the webhooks of a project').action((options: ProjectOptions) =>
    withAccount(shell, async (storage, account, config) => {
      const caller = await operatorCaller(storage, account, config);
      const items = await listWebhooks({ storage }, caller, options.project ?? account.projectId);
      print(shell, options.json, { webhooks: items }, [
        items.length === 0 ? 'No webhooks.' : 'Webhooks:',
        ...items.map(
          (one) => `  ${one.id}  ${one.webhook_enabled ? 'enabled ' : 'disabled'}  ${one.webhook_url}`,
        ),
      ]);
    }),
  );
  add('add', 'add a webhook')
    .requiredOption('--url <address>', 'URL of the endpoint (required)')
    .action((options: ProjectOptions & { url: string }) =>
      withAccount(shell, async (storage, account, config) => {
        const caller = await operatorCaller(storage, account, config);
        const targetRules = { allowPrivate: config.webhookAllowPrivate };
        const deps = { storage, clock: SYSTEM_CLOCK, targetRules, forgetKeys: () => {} };
        const projectId = options.project ?? account.projectId;
        const made = await addWebhook(deps, caller, projectId, { webhook_url: options.url });
        const secret = 'secret' in made && typeof made.secret === 'string' ? [`Secret: ${made.secret}`] : [];
        print(shell, options.json, made, [`Webhook ${made.id} was added.`, ...secret]);
      }),
    );
  add('remove', 'remove a webhook; its pending deliveries are not sent')
    .argument('<id>', 'id of the webhook, whk_…')
    .action((id: string, options: ProjectOptions) =>
      withAccount(shell, async (storage, account, config) => {
        const caller = await operatorCaller(storage, account, config);
        const deps = { storage, clock: SYSTEM_CLOCK, targetRules: {}, forgetKeys: () => {} };
        await removeWebhook(deps, caller, options.project ?? account.projectId, id);
        print(shell, options.json, { id, removed: true }, [`Webhook ${id} was removed.`]);
      }),
    );
}
