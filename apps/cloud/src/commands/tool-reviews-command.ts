import type { Command } from 'commander';
import { decideToolReview, toolReviewRecord } from '../flows/agent/tool-reviews.ts';
import { SYSTEM_CLOCK } from '../gateway/configured-parts.ts';
import type { Shell } from '../run-process.ts';
import { print, withAccount } from './with-storage.ts';

export function addToolReviewsCommand(program: Command, shell: Shell): void {
  const reviews = program.command('tool-reviews').description('tool calls that need approval');
  reviews
    .command('list')
    .description('list the newest 200 reviews')
    .option('--pending', 'only pending tool calls')
    .option('--json', 'print one JSON object')
    .action((options: { pending?: boolean; json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const found = await storage.toolReviews.list(organizationId, {
          limit: 200,
          ...(options.pending === true ? { status: 'pending' } : {}),
        });
        const items = found.map(toolReviewRecord);
        print(shell, options.json, { tool_reviews: items }, [
          items.length === 0 ? 'No tool calls under review.' : 'Tool calls under review:',
          ...items.map(
            (one) => `  ${one.id}  ${one.status.padEnd(8)}  ${one.tool_name}  by agent ${one.agent_id}`,
          ),
        ]);
      }),
    );
  for (const [name, approve] of [
    ['approve', true],
    ['deny', false],
  ] as const) {
    reviews
      .command(name)
      .description(approve ? 'allow this call once, within an hour' : 'deny this call')
      .argument('<id>', 'id of the review, trev_…')
      .option('--reason <text>', 'reason, shown to the operator of the agent')
      .option('--json', 'print one JSON object')
      .action((id: string, options: { reason?: string; json?: boolean }) =>
        withAccount(shell, async (storage, { organizationId, accountId }) => {
          const review = await decideToolReview(
            { storage, clock: SYSTEM_CLOCK },
            { organizationId, id: 'operator', userId: accountId },
            id,
            { approve, reason: options.reason ?? null },
          );
          const record = toolReviewRecord(review);
          print(shell, options.json, record, [`The call of ${record.tool_name} is ${record.status}.`]);
        }),
      );
  }
}
