import { PLAN_NAMES, type PlanName, type SubscriptionStatus } from '@csg/shared/contract';
import type { Command } from 'commander';
import type { Shell } from '../run-process.ts';
import type { Storage, Subscription } from '../storage/storage.ts';
import {
  parseAmount,
  parseCount,
  parsePlan,
  parsePositive,
  parseStatus,
  SETTABLE_STATUSES,
} from './parse-option.ts';
import { print, withAccount } from './with-storage.ts';

interface SetOptions {
  readonly plan?: PlanName;
  readonly status?: SubscriptionStatus;
  readonly email?: string;
  readonly perMinute?: number;
  readonly monthly?: number;
  readonly spendCap?: number;
  readonly json?: boolean;
}

export function addPlanCommand(program: Command, shell: Shell): void {
  const plan = program.command('plan').description('the plan and subscription of an account');
  plan
    .command('set')
    .description('set the plan, the status of the subscription, or both')
    .option('--plan <plan>', `${PLAN_NAMES.join(', ')}; omitted numbers are those of the plan`, parsePlan)
    .option(
      '--status <status>',
      `${SETTABLE_STATUSES.join(', ')} (default with --plan: active); unless "active", counted requests are rejected`,
      parseStatus,
    )
    .option('--email <email>', "the account's email address (default: the operator's account)")
    .option('--per-minute <n>', 'requests per minute', parsePositive)
    .option('--monthly <n>', 'requests per month', parseCount)
    .option('--spend-cap <usd>', 'maximum overage in US dollars per month; 0 stops at the quota', parseAmount)
    .option('--json', 'print one JSON object')
    .action((options: SetOptions) =>
      withAccount(shell, async (storage, operator) => {
        const change = readChange(options);
        const accountId =
          options.email === undefined ? operator.accountId : await findAccount(storage, options.email);
        const changed = await setSubscription(storage, accountId, change);
        print(shell, options.json, { ...shownNumbers(changed), status: changed.status }, [
          `The account is now on the ${changed.plan} plan${changed.status === 'active' ? '' : `, and its subscription is ${changed.status}`}.`,
        ]);
      }),
    );
}

type Change = Partial<Omit<Subscription, 'accountId'>>;

function readChange(options: SetOptions): Change {
  const { plan, status, perMinute, monthly, spendCap } = options;
  if (plan !== undefined) {
    return {
      plan,
      status: status ?? 'active',
      perMinute: perMinute ?? null,
      monthly: monthly ?? null,
      spendCapUsd: spendCap ?? null,
    };
  }
  if (perMinute !== undefined || monthly !== undefined || spendCap !== undefined) {
    throw new Error('--per-minute, --monthly and --spend-cap require --plan.');
  }
  if (status === undefined) throw new Error('Set a plan with --plan, a status with --status, or both.');
  return { status };
}

async function findAccount(storage: Storage, email: string): Promise<string> {
  const user = await storage.users.findByEmail(email);
  if (user === null) throw new Error(`No account has the email address "${email}".`);
  return user.id;
}

/** Records the change in every organization that the account owns. */
async function setSubscription(storage: Storage, accountId: string, change: Change): Promise<Subscription> {
  return await storage.transaction(async (repositories) => {
    const changed = await repositories.subscriptions.set(accountId, change);
    const owned = await repositories.organizations.listOwned(accountId);
    for (const organizationId of owned.map(({ id }) => id).sort()) {
      await repositories.audit.append({
        organizationId,
        kind: 'plan_changed',
        actor: 'operator',
        subject: accountId,
        data: { ...shownNumbers(changed), status: changed.status },
      });
    }
    return changed;
  });
}

function shownNumbers({ plan, perMinute, monthly, spendCapUsd }: Subscription) {
  return { plan, per_minute: perMinute, monthly, spend_cap_usd: spendCapUsd };
}
