import type {
  CreateException,
  CreateToolRequest,
  ExceptionRecord,
  ToolRequestRecord,
} from '@csg/shared/contract';
import { type Command, InvalidArgumentError } from 'commander';
import type { serviceRequests } from '../service/service-requests.ts';
import { AgentError } from '../settings/read-settings.ts';
import { type Json, print, printJson, withParts } from './command-line.ts';

interface ExceptionOptions extends Json {
  readonly host: string;
  readonly minutes?: number;
  readonly threat?: string;
  readonly allFindings?: boolean;
  readonly policy?: string;
  readonly category?: string;
  readonly reason?: string;
  readonly event?: string;
}
interface ToolOptions extends Json {
  readonly host: string;
  readonly name?: string;
  readonly reason?: string;
  readonly event?: string;
}

type Requests = ReturnType<typeof serviceRequests>;

/** `exceptions` and `tool-requests`: sent to the service directly, so they work without a running agent. */
export function addRequestCommands(program: Command): void {
  addExceptionCommands(program.command('exceptions').description('temporary exceptions of this computer'));
  addToolCommands(program.command('tool-requests').description('requests for blocked AI tools'));
}

function addExceptionCommands(exceptions: Command): void {
  exceptions
    .command('request')
    .description('request an exception; another person decides')
    .requiredOption('--host <host>', 'destination host, such as chatgpt.com')
    .option('--minutes <n>', 'duration after approval, 1 to 1440; default: 60', wholeNumber)
    .option(
      '--threat <type>',
      'only this threat type, such as pii_leak; default: that of the event, else attacks',
    )
    .option('--all-findings', 'all findings, also personal data and secrets')
    .option('--policy <id>', 'only decisions of this policy')
    .option('--category <word>', 'category of the reason')
    .option('--reason <text>', 'justification for the approver')
    .option('--event <id>', 'blocked event: the reference in the block message')
    .option('--json', 'print one JSON object')
    .action((options: ExceptionOptions) =>
      withRequests(async (requests) => {
        const made = (await requests['request-exception'](exceptionOf(options))) as ExceptionRecord;
        show(
          options,
          made,
          `Request submitted: ${made.id}, ${made.requested_minutes} minutes once approved.`,
        );
      }),
    );
  addListAndCancel(exceptions, 'exceptions', 'exc_');
}

function addToolCommands(tools: Command): void {
  tools
    .command('request')
    .description('request a tool; another person decides')
    .requiredOption('--host <host>', 'host of the tool, such as grok.com')
    .option('--name <name>', 'name of the tool')
    .option('--reason <text>', 'justification for the approver')
    .option('--event <id>', 'blocked event: the reference in the block message')
    .option('--json', 'print one JSON object')
    .action((options: ToolOptions) =>
      withRequests(async (requests) => {
        const made = (await requests['request-tool'](toolOf(options))) as ToolRequestRecord;
        show(options, made, `Request submitted: ${made.id}.`);
      }),
    );
  addListAndCancel(tools, 'tool_requests', 'treq_');
}

function addListAndCancel(group: Command, kind: 'exceptions' | 'tool_requests', prefix: string): void {
  group
    .command('list')
    .description('list requests, newest first')
    .option('--json', 'print one JSON object')
    .action((options: Json) =>
      withRequests(async (requests) => {
        const all = await requests.requests(null);
        if (options.json) return printJson({ [kind]: all[kind] });
        const lines = all[kind].map(lineOf);
        print(lines.length === 0 ? ['No requests.'] : lines);
      }),
    );
  group
    .command('cancel')
    .description('cancel a request; an active exception ends immediately')
    .argument('<id>', `such as ${prefix}…`)
    .option('--json', 'print one JSON object')
    .action((id: string, options: Json) =>
      withRequests(async (requests) => {
        show(options, await requests['cancel-request']({ id }), `${id} was cancelled.`);
      }),
    );
}

function withRequests(work: (requests: Requests) => Promise<void>): Promise<void> {
  return withParts(async (parts) => {
    const [{ withService }, { serviceRequests }] = await Promise.all([
      import('../service/device-service.ts'),
      import('../service/service-requests.ts'),
    ]);
    await withService(parts, (client) =>
      work(serviceRequests(() => client)).catch((error: Error) => {
        throw new AgentError(error.message);
      }),
    );
  });
}

function show(options: Json, record: ExceptionRecord | ToolRequestRecord, sentence: string): void {
  if (options.json) printJson(record);
  else print([sentence]);
}

function toolOf({ host, name, reason, event }: ToolOptions): CreateToolRequest {
  return {
    requested_host: host,
    ...(name !== undefined && { requested_name: name }),
    ...(reason !== undefined && { justification: reason }),
    ...(event !== undefined && { event_id: event }),
  };
}

function exceptionOf(options: ExceptionOptions): CreateException {
  const { host, minutes, threat, allFindings, policy, category, reason, event } = options;
  return {
    destination_host: host,
    ...(minutes !== undefined && { requested_minutes: minutes }),
    ...(threat !== undefined && { threat }),
    ...(allFindings === true && { all_findings: true }),
    ...(policy !== undefined && { policy_id: policy }),
    ...(category !== undefined && { reason_category: category }),
    ...(reason !== undefined && { justification: reason }),
    ...(event !== undefined && { event_id: event }),
  };
}

function lineOf(record: ExceptionRecord | ToolRequestRecord): string {
  const isTool = 'requested_host' in record;
  const host = isTool ? record.requested_host : record.destination_host;
  const subject = isTool
    ? (record.requested_name ?? '')
    : (record.threat ?? (record.all_findings === false ? 'attacks' : 'all findings'));
  const until = isTool || record.expires_at === null ? '' : `until ${record.expires_at}`;
  return [record.id, record.status.padEnd(9), host, subject, until, record.decision_reason ?? '']
    .filter((part) => part !== '')
    .join('  ');
}

function wholeNumber(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}
