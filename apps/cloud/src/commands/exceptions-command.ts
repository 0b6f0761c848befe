import { EXCEPTION_STATUSES, type ExceptionStatus } from '@csg/shared/contract';
import type { Command } from 'commander';
import { decideException } from '../flows/approvals/decide-exception.ts';
import { exceptionRecord } from '../flows/approvals/records.ts';
import type { Shell } from '../run-process.ts';
import { parseOneOf, parsePositive } from './parse-option.ts';
import { print, withAccount } from './with-storage.ts';

interface DecideOptions {
  readonly reason?: string;
  readonly minutes?: number;
  readonly json?: boolean;
}

export function addExceptionsCommand(program: Command, shell: Shell): void {
  const exceptions = program.command('exceptions').description('temporary exceptions that people request');
  exceptions
    .command('list')
    .description('list the newest 200 exceptions')
    .option(
      '--status <status>',
      `only this status: ${EXCEPTION_STATUSES.join(', ')}`,
      parseOneOf(EXCEPTION_STATUSES),
    )
    .option('--json', 'print one JSON object')
    .action((options: { status?: ExceptionStatus; json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const found = await storage.exceptions.list(organizationId, {
          limit: 200,
          ...(options.status === undefined ? {} : { status: options.status }),
        });
        const items = found.map(exceptionRecord);
        print(shell, options.json, { exceptions: items }, [
          items.length === 0 ? 'No exceptions.' : 'Exceptions:',
          ...items.map(
            (one) =>
              `  ${one.id}  ${one.status.padEnd(9)}  ${one.destination_host}  ${one.threat ?? 'any threat'}  ${one.requested_minutes} min  by ${one.requested_by}${one.expires_at === null ? '' : `  until ${one.expires_at}`}`,
          ),
        ]);
      }),
    );
  for (const [name, approve] of [
    ['approve', true],
    ['deny', false],
  ] as const) {
    const command = exceptions
      .command(name)
      .description(approve ? 'approve an exception; it is active from now' : 'deny an exception')
      .argument('<id>', 'id of the exception, exc_…')
      .option('--reason <text>', 'reason, shown to the requester')
      .option('--json', 'print one JSON object');
    if (approve) command.option('--minutes <n>', 'duration, at most the requested one', parsePositive);
    command.action((id: string, options: DecideOptions) =>
      withAccount(shell, async (storage, { organizationId, accountId }) => {
        const record = await decideException(
          { storage },
          { organizationId, id: 'operator', userId: accountId },
          id,
          {
            approve,
            ...(options.reason === undefined ? {} : { reason: options.reason }),
            ...(options.minutes === undefined ? {} : { minutes: options.minutes }),
          },
        );
        print(shell, options.json, record, [
          approve ? `Exception ${id} is active until ${record.expires_at}.` : `Exception ${id} was denied.`,
        ]);
      }),
    );
  }
}
