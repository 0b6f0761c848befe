import { PLAN_NAMES, type PlanName } from '@csg/shared/contract';
import type { Command } from 'commander';
import { parseAmount, parseCount, parsePlan, parsePositive } from './parse-option.ts';
import { print, withAccount } from './with-storage.ts';

interface SetOptions {
  readonly plan: PlanName;
  readonly perMinute?: number;
  readonly monthly?: number;
  readonly spendCap?: number;
  readonly json?: boolean;
}

export function addPlanCommand(program: Command): void {
  const plan = program.command('plan').description("the operator's account's plan");
  plan
    .command('set')
    .description('set the plan; numbers left out are those of the plan')
    .requiredOption('--plan <plan>', `${PLAN_NAMES.join(', ')} (required)`, parsePlan)
    .option('--per-minute <n>', 'requests per minute', parsePositive)
    .option('--monthly <n>', 'requests per month', parseCount)
    .option('--spend-cap <usd>', 'US dollars of overage a month; 0 stops at the quota', parseAmount)
    .option('--json', 'print one JSON object')
    .action((options: SetOptions) =>
      withAccount(async (storage, { accountId, organizationId }) => {
        const change = {
          plan: options.plan,
          status: 'active' as const,
          perMinute: options.perMinute ?? null,
          monthly: options.monthly ?? null,
          spendCapUsd: options.spendCap ?? null,
        };
        await storage.transaction(async (repositories) => {
          await repositories.subscriptions.set(accountId, change);
          await repositories.audit.append({
            organizationId,
            kind: 'plan_changed',
            actor: 'operator',
            subject: accountId,
            data: {
              plan: change.plan,
              per_minute: change.perMinute,
              monthly: change.monthly,
              spend_cap_usd: change.spendCapUsd,
            },
          });
        });
        print(
          options.json,
          {
            plan: change.plan,
            per_minute: change.perMinute,
            monthly: change.monthly,
            spend_cap_usd: change.spendCapUsd,
          },
          [`The account is on the ${change.plan} plan now.`],
        );
      }),
    );
}
