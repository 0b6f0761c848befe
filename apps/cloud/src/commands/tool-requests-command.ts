import { TOOL_REQUEST_STATUSES, type ToolRequestStatus } from '@csg/shared/contract';
import type { Command } from 'commander';
import { toolRequestRecord } from '../flows/approvals/records.ts';
import { decideToolRequest } from '../flows/approvals/tool-requests.ts';
import type { Shell } from '../run-process.ts';
import { parseOneOf } from './parse-option.ts';
import { print, withAccount } from './with-storage.ts';

export function addToolRequestsCommand(program: Command, shell: Shell): void {
  const requests = program.command('tool-requests').description('requests for blocked AI tools');
  requests
    .command('list')
    .description('list the newest 200 requests')
    .option(
      '--status <status>',
      `only this status: ${TOOL_REQUEST_STATUSES.join(', ')}`,
      parseOneOf(TOOL_REQUEST_STATUSES),
    )
    .option('--json', 'print one JSON object')
    .action((options: { status?: ToolRequestStatus; json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const found = await storage.toolRequests.list(organizationId, {
          limit: 200,
          ...(options.status === undefined ? {} : { status: options.status }),
        });
        const items = found.map(toolRequestRecord);
        print(shell, options.json, { tool_requests: items }, [
          items.length === 0 ? 'No tool requests.' : 'Tool requests:',
          ...items.map(
            (one) => `  ${one.id}  ${one.status.padEnd(9)}  ${one.requested_host}  by ${one.requested_by}`,
          ),
        ]);
      }),
    );
  for (const [name, approve] of [
    ['approve', true],
    ['deny', false],
  ] as const) {
    requests
      .command(name)
      .description(
        approve ? 'allow the tool for the requesting device, project or organization' : 'deny a request',
      )
      .argument('<id>', 'id of the request, treq_…')
      .option('--reason <text>', 'reason, shown to the requester')
      .option('--json', 'print one JSON object')
      .action((id: string, options: { reason?: string; json?: boolean }) =>
        withAccount(shell, async (storage, { organizationId, accountId }) => {
          const record = await decideToolRequest(
            { storage },
            { organizationId, id: 'operator', userId: accountId },
            id,
            { approve, ...(options.reason === undefined ? {} : { reason: options.reason }) },
          );
          print(shell, options.json, record, [`Tool request ${id} is ${record.status}.`]);
        }),
      );
  }
}
