import { PERMISSIONS, type Permission, PLAN_NAMES, type PlanName } from '@csg/shared/contract';
import type { Command } from 'commander';
import type { FirstAccount } from '../flows/set-up-service.ts';
import type { Shell } from '../run-process.ts';
import { makeKey } from '../storage/key-format.ts';
import type { Storage } from '../storage/storage.ts';
import { parseModels, parseMoment, parsePermissions, parsePlan, parsePositive } from './parse-option.ts';
import { print, withAccount } from './with-storage.ts';

interface CreateOptions {
  readonly name: string;
  readonly plan?: PlanName;
  readonly permissions?: Permission[];
  readonly expiresAt?: number;
  readonly project?: string;
  readonly allowedModels?: string[];
  readonly dailyTokenLimit?: number;
  readonly json?: boolean;
}

export function addKeysCommand(program: Command, shell: Shell): Command {
  const keys = program.command('keys').description('API keys');
  keys
    .command('create')
    .description("create a key in the operator's account")
    .requiredOption('--name <name>', 'name of the key, 1 to 50 characters (required)')
    .option('--plan <plan>', `also set the account's plan: ${PLAN_NAMES.join(', ')}`, parsePlan)
    .option(
      '--permissions <list>',
      `permissions, such as scan,proxy; one or more of ${PERMISSIONS.join(', ')} (default: all)`,
      parsePermissions,
    )
    .option('--expires-at <time>', 'ISO 8601 time, or a duration such as 24h (default: never)', parseMoment)
    .option('--project <id>', 'project of the key (default: the first)')
    .option(
      '--allowed-models <list>',
      'models that the key may be used for, separated by commas (default: all)',
      parseModels,
    )
    .option('--daily-token-limit <n>', 'model tokens per UTC day (default: no limit)', parsePositive)
    .option('--json', 'print one JSON object')
    .action((options: CreateOptions) =>
      withAccount(shell, (storage, account) => create(shell, storage, account, options)),
    );
  return keys;
}

async function create(
  shell: Shell,
  storage: Storage,
  account: FirstAccount,
  options: CreateOptions,
): Promise<void> {
  const { organizationId, accountId } = account;
  const projectId = options.project ?? account.projectId;
  if (options.name.trim() === '' || [...options.name].length > 50) {
    throw new Error('A key needs a name of 1 to 50 characters.');
  }
  if ((await storage.projects.get(organizationId, projectId)) === null) {
    throw new Error(`No such project: ${projectId}.`);
  }
  const plain = makeKey();
  const key = await storage.transaction(async (repositories) => {
    if (options.plan !== undefined) {
      const current = await repositories.subscriptions.get(accountId);
      // The limits of a contract belong to its plan and do not carry over to another one.
      const numbers =
        current?.plan === options.plan ? {} : { perMinute: null, monthly: null, spendCapUsd: null };
      await repositories.subscriptions.set(accountId, { plan: options.plan, status: 'active', ...numbers });
    }
    const made = await repositories.keys.insert({
      organizationId,
      projectId,
      userId: accountId,
      deviceId: null,
      name: options.name,
      permissions: options.permissions ?? [],
      expiresAtMs: options.expiresAt ?? null,
      limits: {
        allowedModels: options.allowedModels ?? [],
        dailyTokenLimit: options.dailyTokenLimit ?? null,
      },
      key: plain,
    });
    await repositories.audit.append({
      organizationId,
      kind: 'key_created',
      actor: 'operator',
      subject: made.id,
      data: { project_id: projectId, permissions: options.permissions ?? [] },
    });
    return made;
  });
  print(
    shell,
    options.json,
    {
      key: plain,
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      project_id: projectId,
      organization_id: organizationId,
      permissions: key.permissions,
      expires_at: key.expiresAtMs === null ? null : new Date(key.expiresAtMs).toISOString(),
    },
    [`Key "${key.name}" (${key.id}), shown only once:`, '', `  ${plain}`, ''],
  );
}
