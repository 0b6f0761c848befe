/**
 * Replays conversations turn by turn, over HTTP and over the WebSocket of the Responses API, through the gateway and through a device that asks the same gateway, and compares
 * what they forward byte for byte.
 *   npm run lab -- parity --sessions FILE [--turns N] [--limit N]
 * FILE has one JSON object per line, with the `messages` of a session in the format of chat completions.
 */
import { policyOfConfig } from '../../apps/desktop/src/agent/protection/policy-of-config.ts';
import { createTextMemory } from '../../apps/desktop/src/cloud-client/create-text-memory.ts';
import { createMaskDigest } from '../../apps/desktop/src/cloud-client/mask-digest.ts';
import { createGuardClient } from '../../apps/desktop/src/cloud-client/request-guard.ts';
import { compilePolicy } from '../../apps/desktop/src/inspect/compile-policy.ts';
import { evaluateMessage } from '../../apps/desktop/src/inspect/evaluate-message.ts';
import type { EvaluationTools } from '../../apps/desktop/src/inspect/evaluate-reading.ts';
import { evaluateRequest } from '../../apps/desktop/src/inspect/evaluate-request.ts';
import type { DeviceConfig } from '../../shared/contract/index.ts';
import { jsonMembers } from '../../shared/text/index.ts';
import { PROVIDER_KEY } from '../../test/support/clients.ts';
import type { TestGateway } from '../../test/support/gateway.ts';
import { sendOverSocket } from '../../test/support/response-socket.ts';
import type { TestProvider } from '../../test/support/test-provider.ts';
import { readOptions } from '../options.ts';
import { readSessions } from './eval-flows.ts';
import type { Message } from './flows/planted-orders.ts';
import { INTERFACES, type Interface, toolsOf } from './parity/session-bodies.ts';
import { withReplayGateway } from './replay-gateway.ts';

export interface ParityReport {
  readonly requests: number;
  /** Requests that both forwarded unchanged, forwarded with a change, and rejected. */
  readonly unchanged: number;
  readonly changed: number;
  readonly rejected: number;
  /** Where the device did another thing than the gateway: session, turn and the first difference. */
  readonly differences: readonly string[];
}

export interface ParityOptions {
  readonly gateway: TestGateway;
  readonly testProvider: TestProvider;
  /** The most requests of a session, spread over its turns. */
  readonly turns: number;
}

/** What was forwarded; null: nothing. */
type Forwarded = string | null;

export async function compareSessions(
  sessions: readonly (readonly Message[])[],
  { gateway, testProvider, turns }: ParityOptions,
): Promise<ParityReport> {
  const report = { requests: 0, unchanged: 0, changed: 0, rejected: 0, differences: [] as string[] };
  const device = await openDevice(gateway);
  try {
    for (const [index, session] of sessions.entries()) {
      const via = INTERFACES[index % INTERFACES.length]!;
      const tools = toolsOf(session);
      const memory = createTextMemory(() => 0);
      for (const end of someOf(turnsOf(session), turns)) {
        const body = JSON.stringify(via.bodyOf(session.slice(0, end), tools));
        const there = await throughGateway(via, body, gateway, testProvider);
        const here = await device.forward(via, body, memory);
        report.requests++;
        if (there === null) report.rejected++;
        else report[there === membersOf(via, body) ? 'unchanged' : 'changed']++;
        if (there !== here)
          report.differences.push(
            `session ${index}, ${nameOf(via)}, message ${end}: ${differenceOf(there, here)}`,
          );
      }
    }
  } finally {
    await device.close();
  }
  return report;
}

/** The lengths of the conversation at which the model was asked. */
function turnsOf(session: readonly Message[]): number[] {
  const ends = session.flatMap(({ role }, at) => (role === 'assistant' && at > 0 ? [at] : []));
  return [...new Set([...ends, session.length])];
}

/** Some of these, evenly, and the last. */
function someOf<T>(items: readonly T[], most: number): T[] {
  const share = Math.min(1, most / items.length);
  return items.filter(
    (_, i) => Math.floor((i + 1) * share) > Math.floor(i * share) || i === items.length - 1,
  );
}

const nameOf = ({ gatewayPath, isSocket }: Interface): string =>
  isSocket === true ? `${gatewayPath} over a WebSocket` : gatewayPath;

/**
 * Returns what of a body both forward as it is. The gateway sends a message of a WebSocket as a request over HTTP,
 * without the members of its envelope.
 */
function membersOf({ isSocket }: Interface, body: string): string {
  if (isSocket !== true) return body;
  const members = jsonMembers(body).filter(({ name }) => name !== 'type' && name !== 'stream');
  return members.map(({ start, end }) => body.slice(start, end)).join(',');
}

async function throughGateway(
  via: Interface,
  body: string,
  gateway: TestGateway,
  testProvider: TestProvider,
): Promise<Forwarded> {
  const { gatewayPath, headers } = via;
  const before = testProvider.requests.length;
  if (via.isSocket === true) {
    const keys = { 'x-api-key': gateway.key, authorization: `Bearer ${PROVIDER_KEY}` };
    await sendOverSocket(`${gateway.address}${gatewayPath}`, keys, body);
  } else {
    const response = await gateway.call('POST', gatewayPath, {
      ...{ body, bearer: PROVIDER_KEY },
      headers: { 'content-type': 'application/json', ...headers },
    });
    await response.text();
  }
  const sent = testProvider.requests[before]?.body.toString();
  return sent === undefined ? null : membersOf(via, sent);
}

interface Device {
  forward(via: Interface, body: string, memory: EvaluationTools['memory']): Promise<Forwarded>;
  close(): Promise<void>;
}

async function openDevice(gateway: TestGateway): Promise<Device> {
  const apiKey = await gateway.addDevice();
  const answer = await gateway.call('GET', '/api/v1/devices/config', { key: apiKey });
  const config = (await answer.json()) as DeviceConfig;
  const compiled = compilePolicy(policyOfConfig(config, { server: gateway.address, extraHosts: [] }));
  const guard = createGuardClient({ url: gateway.address, apiKey, now: () => performance.now() });
  const access = { service: gateway.address, guard: guard.request, deadlineMs: 60_000 };
  return {
    async forward(via, body, memory) {
      const request = { compiled, host: via.host, path: via.devicePath, method: 'POST' };
      const bytes = new TextEncoder().encode(body);
      const tools = {
        ...{ access, memory, scopeOf: () => '', maskDigest: createMaskDigest('k') },
        ...{ now: () => 0, newEventId: () => 'evt_device' },
      };
      const verdict =
        via.isSocket === true
          ? await evaluateMessage(request, bytes, false, tools)
          : await evaluateRequest(request, { kind: 'json', bytes }, tools);
      if (verdict.isUnanswered) throw new Error('The service gave the device no verdict.');
      if (verdict.kind === 'block') return null;
      const rewritten = 'text' in verdict ? verdict.text : 'body' in verdict ? verdict.body : null;
      return membersOf(via, rewritten === null ? body : new TextDecoder().decode(rewritten));
    },
    close: () => guard.close(),
  };
}

const AROUND = 60;

function differenceOf(there: Forwarded, here: Forwarded): string {
  if (there === null || here === null)
    return there === null ? 'only the gateway rejects it' : 'only the device rejects it';
  let at = 0;
  while (there[at] === here[at]) at++;
  const part = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - AROUND), at + AROUND));
  return `gateway ${part(there)}, device ${part(here)}`;
}

export function tableOf({ requests, unchanged, changed, rejected, differences }: ParityReport): string {
  const lines = [
    `${requests} requests: ${unchanged} forwarded unchanged, ${changed} changed, ${rejected} rejected`,
    `${differences.length} differ between gateway and device`,
    ...differences.map((one) => `  ${one}`),
  ];
  return `${lines.join('\n')}\n`;
}

if (import.meta.main) {
  const values = readOptions({
    command: 'npm run lab -- parity',
    about: 'Compares what the gateway and a device forward of recorded sessions, byte for byte.',
    options: {
      sessions: { type: 'string', value: 'FILE', help: 'Sessions as JSON lines' },
      turns: { type: 'string', value: 'N', default: '8', help: 'Most requests of a session' },
      limit: { type: 'string', value: 'N', default: '100000', help: 'Most sessions' },
    },
  });
  await withReplayGateway(async (parts) => {
    const sessions = readSessions(values.sessions ?? '').map(({ messages }) => messages);
    const report = await compareSessions(sessions.slice(0, Number(values.limit)), {
      ...parts,
      turns: Number(values.turns),
    });
    process.stdout.write(tableOf(report));
    if (report.differences.length > 0) process.exitCode = 1;
  });
}
