import {
  EXCEPTION_STATUSES,
  REQUEST_KINDS,
  REQUEST_STATUSES,
  type RequestKind,
  type RequestStatus,
  TOOL_REQUEST_STATUSES,
  TOOL_REVIEW_STATUSES,
} from '@csg/shared/contract';
import type { Command } from 'commander';
import { decideRequest } from '../flows/approvals/decide-request.ts';
import { rowOf } from '../flows/approvals/request-kinds.ts';
import type { Shell } from '../run-process.ts';
import type { AnyRequest } from '../storage/storage.ts';
import { isoTime } from '../wire/iso-time.ts';
import { parseOneOf, parsePositive } from './parse-option.ts';
import { print, withAccount } from './with-storage.ts';

/** A command for requests of every kind, or of one. */
interface Group {
  readonly name: string;
  readonly kind?: RequestKind;
  readonly about: string;
  readonly statuses: readonly RequestStatus[];
  /** Argument and member of the list. */
  readonly id: string;
  readonly member: string;
  readonly none: string;
  readonly head: string;
}

const GROUPS: readonly Group[] = [
  {
    name: 'requests',
    about: 'what people and agents request and a person decides',
    statuses: REQUEST_STATUSES,
    id: 'exc_…, treq_…, trev_… or fbk_…',
    ...{ member: 'requests', none: 'No requests.', head: 'Requests:' },
  },
  {
    name: 'exceptions',
    kind: 'exception',
    about: 'temporary exceptions that people request',
    statuses: EXCEPTION_STATUSES,
    id: 'exc_…',
    ...{ member: 'exceptions', none: 'No exceptions.', head: 'Exceptions:' },
  },
  {
    name: 'tool-requests',
    kind: 'tool_request',
    about: 'requests for blocked AI tools',
    statuses: TOOL_REQUEST_STATUSES,
    id: 'treq_…',
    ...{ member: 'tool_requests', none: 'No tool requests.', head: 'Tool requests:' },
  },
  {
    name: 'tool-reviews',
    kind: 'tool_review',
    about: 'tool calls that need approval',
    statuses: TOOL_REVIEW_STATUSES,
    id: 'trev_…',
    ...{ member: 'tool_reviews', none: 'No tool calls under review.', head: 'Tool calls under review:' },
  },
];

interface ListOptions {
  readonly kind?: RequestKind;
  readonly status?: RequestStatus;
  readonly pending?: boolean;
  readonly json?: boolean;
}

interface DecideOptions {
  readonly reason?: string;
  readonly minutes?: number;
  readonly threat?: string;
  readonly json?: boolean;
}

export function addRequestsCommands(program: Command, shell: Shell): void {
  for (const group of GROUPS) {
    const command = program.command(group.name).description(group.about);
    addList(command, shell, group);
    addDecision(command, shell, group, true);
    addDecision(command, shell, group, false);
  }
}

function addList(group: Command, shell: Shell, { kind, statuses, member, none, head }: Group): void {
  const command = group
    .command('list')
    .description('list the newest 200')
    .option('--status <status>', `only this status: ${statuses.join(', ')}`, parseOneOf(statuses))
    .option('--pending', 'only pending ones')
    .option('--json', 'print one JSON object');
  if (kind === undefined)
    command.option('--kind <kind>', `only this kind: ${REQUEST_KINDS.join(', ')}`, parseOneOf(REQUEST_KINDS));
  command.action((options: ListOptions) =>
    withAccount(shell, async (storage, { organizationId }) => {
      const ofKind = kind ?? options.kind;
      const status = options.pending === true ? 'pending' : options.status;
      const found = await storage.requests.list(organizationId, {
        limit: 200,
        ...(ofKind === undefined ? {} : { kind: ofKind }),
        ...(status === undefined ? {} : { status }),
      });
      const items = found.map((request) => shownRequest(request, kind));
      print(shell, options.json, { [member]: items }, [
        found.length === 0 ? none : head,
        ...found.map((request) => `  ${request.id}  ${request.status.padEnd(9)}  ${lineOf(request)}`),
      ]);
    }),
  );
}

function addDecision(group: Command, shell: Shell, { kind, id: ids }: Group, approve: boolean): void {
  const command = group
    .command(approve ? 'approve' : 'deny')
    .description(approve ? 'approve a request; it applies from now' : 'deny a request')
    .argument('<id>', `id of the request, ${ids}`)
    .option('--reason <text>', 'reason, shown to the requester')
    .option('--json', 'print one JSON object');
  if (approve && (kind ?? 'exception') === 'exception')
    command
      .option('--minutes <n>', 'duration of an exception, at most the requested one', parsePositive)
      .option('--threat <type>', 'only this threat type, one of those that the exception was requested for');
  command.action((id: string, options: DecideOptions) =>
    withAccount(shell, async (storage, { organizationId, accountId }) => {
      const decided = await decideRequest(
        { storage },
        { organizationId, id: 'operator', userId: accountId },
        { id, ...(kind === undefined ? {} : { kind }) },
        { approve, reason: options.reason, minutes: options.minutes, threat: options.threat },
      );
      const until = decided.expiresAtMs === null ? '' : ` until ${isoTime(decided.expiresAtMs)}`;
      const line = `The request for ${rowOf<RequestKind>(decided.kind).what(decided)} is ${decided.status}${until}.`;
      print(shell, options.json, shownRequest(decided, kind), [line]);
    }),
  );
}

/** The record of its kind; in a list of all kinds also what it is. */
function shownRequest(request: AnyRequest, ofKind: RequestKind | undefined): object {
  const row = rowOf<RequestKind>(request.kind);
  const record = row.record(request);
  return ofKind === undefined ? { kind: request.kind, title: row.what(request), ...record } : record;
}

function lineOf(request: AnyRequest): string {
  const until = request.status === 'approved' && request.expiresAtMs !== null;
  const end = until ? `  until ${isoTime(request.expiresAtMs!)}` : '';
  switch (request.kind) {
    case 'exception':
      return `${request.destinationHost}  ${request.threat ?? (request.allFindings === false ? 'attacks' : 'all findings')}  ${request.requestedMinutes} min  by ${request.requestedBy}${end}`;
    case 'tool_request':
      return `${request.requestedHost}  by ${request.requestedBy}`;
    case 'tool_review':
      return `${request.toolName}  by agent ${request.agentId}`;
    default:
      return `${rowOf<RequestKind>(request.kind).what(request)}  by ${request.requestedBy}`;
  }
}
