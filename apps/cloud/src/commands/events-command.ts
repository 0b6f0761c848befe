import { DECISIONS, type Decision } from '@csg/shared/contract';
import type { Command } from 'commander';
import type { Shell } from '../run-process.ts';
import type { SecurityEvent } from '../storage/storage.ts';
import { parseOneOf, parsePositive } from './parse-option.ts';
import { print, withAccount } from './with-storage.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;

export function addEventsCommand(program: Command, shell: Shell): void {
  const events = program.command('events').description('decisions and their reasons');
  events
    .command('list')
    .description('list the newest decisions')
    .option('--decision <decision>', DECISIONS.join(', '), parseOneOf(DECISIONS))
    .option('--limit <n>', `at most ${MAX_LIMIT}`, parsePositive, DEFAULT_LIMIT)
    .option('--json', 'print one JSON object')
    .action((options: { readonly decision?: Decision; readonly limit: number; readonly json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const { events: found } = await storage.events.page(organizationId, {
          limit: Math.min(MAX_LIMIT, options.limit),
          ...(options.decision === undefined ? {} : { filter: { decision: options.decision } }),
        });
        print(shell, options.json, { events: found.map(eventRecord) }, [
          ...(found.length === 0 ? ['No decisions yet.'] : found.map(lineOf)),
        ]);
      }),
    );
  events
    .command('show <event-id>')
    .description('show a decision: the matching rules, their position and confidence; never the text')
    .option('--json', 'print one JSON object')
    .action((eventId: string, options: { readonly json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const event = await storage.events.get(organizationId, eventId);
        if (!event) throw new Error(`No such event in this organization: ${eventId}.`);
        print(shell, options.json, eventRecord(event), linesOf(event));
      }),
    );
}

function eventRecord(event: SecurityEvent): object {
  return {
    id: event.id,
    at: new Date(event.atMs).toISOString(),
    direction: event.direction,
    route: event.route,
    model: event.model,
    decision: event.decision,
    threat_type: event.threatType,
    confidence: event.confidence,
    findings: event.findings,
    unscanned: event.unscanned,
    ...(event.evaluatedBy === undefined ? {} : { judged_by: event.evaluatedBy }),
    failed: event.failed,
    project_id: event.projectId,
    key_id: event.keyId,
    device_id: event.deviceId,
    request_id: event.requestId,
  };
}

function lineOf(event: SecurityEvent): string {
  const at = new Date(event.atMs).toISOString();
  const threat = event.threatType === null ? '' : `${event.threatType} ${event.confidence}`;
  return `${at}  ${event.decision.padEnd(6)}  ${event.direction.padEnd(6)}  ${event.route.padEnd(22)}  ${event.id}  ${threat}`.trimEnd();
}

function linesOf(event: SecurityEvent): string[] {
  const lines = [lineOf(event), ''];
  if (event.failed !== null) {
    lines.push(
      `  The scan could not run (${event.failed.reason}); the project fails ${event.failed.failMode}.`,
    );
  }
  if (event.evaluatedBy === 'device') lines.push('  Evaluated by the device.');
  for (const finding of event.findings) {
    const position = `${finding.path} (${finding.role}), characters ${finding.start} to ${finding.end}`;
    lines.push(
      `  ${finding.type}  ${Math.round(finding.confidence * 100)}%  ${finding.rule}`,
      `    at ${position}`,
    );
  }
  if (event.findings.length === 0) lines.push('  Nothing was found.');
  for (const part of event.unscanned) lines.push(`  not scanned: part ${part.at}, ${part.reason}`);
  return lines;
}
