/**
 * Replays recorded sessions of agents turn by turn through a gateway, with a stand-in provider that responds as the
 * recorded model did, and counts interferences.
 *   npm run lab -- replay --sessions FILE [--planted] [--seed N]
 * FILE has one JSON object per line, with the `messages` of a session in the format of chat completions.
 */
import { isDeepStrictEqual } from 'node:util';
import { WITHHELD } from '../../shared/detection/index.ts';
import { PROVIDER_KEY } from '../../test/support/clients.ts';
import type { TestGateway } from '../../test/support/gateway.ts';
import { createRandom, type Random } from '../../test/support/random.ts';
import type { TestProvider } from '../../test/support/test-provider.ts';
import { readOptions } from '../options.ts';
import { readSessions } from './eval-flows.ts';
import { type Message, ORDER_KINDS, plantOrder } from './flows/planted-orders.ts';
import { withReplayGateway } from './replay-gateway.ts';

export interface ReplayReport {
  readonly sessions: number;
  readonly turns: number;
  /** Numbers of sessions with at least one such turn. */
  readonly rejected: number;
  readonly responseBlocked: number;
  readonly withheld: number;
  /** Personal data or a secret was masked. */
  readonly masked: number;
  /** A message was forwarded in another form than in an earlier turn. */
  readonly unstable: number;
  /** Turns in which the provider got other bytes than the client sent, although nothing was withheld or masked. */
  readonly changedBytes: number;
  /** The first rejections: the session and the message to the client. */
  readonly reasons: readonly string[];
  /** Sessions with a planted instruction, and those whose provider never received it. */
  readonly planted: { readonly total: number; readonly stopped: number };
}

export interface ReplayOptions {
  readonly gateway: Pick<TestGateway, 'call'>;
  readonly testProvider: TestProvider;
  /** Plants one instruction of each kind in every session that has a tool result. */
  readonly planted?: boolean;
  readonly random: Random;
}

/** The result of one request. */
interface Turn {
  readonly status: number;
  readonly body: string;
  readonly sent: string;
  /** What the provider received; undefined: nothing. */
  readonly received: string | undefined;
}

type Session = readonly Message[];

export async function replaySessions(
  sessions: readonly Session[],
  { gateway, testProvider, planted = false, random }: ReplayOptions,
): Promise<ReplayReport> {
  const report = {
    sessions: sessions.length,
    turns: 0,
    rejected: 0,
    responseBlocked: 0,
    withheld: 0,
    masked: 0,
    unstable: 0,
    changedBytes: 0,
    reasons: [] as string[],
    planted: { total: 0, stopped: 0 },
  };
  for (const [index, session] of sessions.entries()) {
    const turns = await replaySession(session, gateway, testProvider);
    report.turns += turns.length;
    const failed = turns.find(({ status }) => status !== 200);
    if (failed !== undefined) report.reasons.push(`session ${index}: ${reasonOf(failed)}`);
    const has = (test: (turn: Turn) => boolean): number => (turns.some(test) ? 1 : 0);
    report.rejected += has(({ status, received }) => status !== 200 && received === undefined);
    report.responseBlocked += has(({ status, received }) => status !== 200 && received !== undefined);
    report.withheld += has(({ sent, received = '' }) => count(received, WITHHELD) > count(sent, WITHHELD));
    report.masked += has(({ sent, received = sent }) => masks(received) > masks(sent));
    report.unstable += isStable(turns) ? 0 : 1;
    report.changedBytes += turns.filter(
      ({ sent, received = sent }) =>
        received !== sent && !received.includes(WITHHELD) && masks(received) === masks(sent),
    ).length;
    if (planted) await replayPlanted(session, report.planted);
  }
  return report;

  async function replayPlanted(session: Session, counts: { total: number; stopped: number }): Promise<void> {
    for (const make of Object.values(ORDER_KINDS)) {
      const order = make(random);
      const poisoned = plantOrder(session, order, random);
      if (poisoned === null) continue;
      counts.total++;
      const { received } = await send(poisoned, undefined, gateway, testProvider);
      if (received === undefined || !received.includes(JSON.stringify(order.order).slice(1, -1)))
        counts.stopped++;
    }
  }
}

/** Sends one request for each response of the recorded model, with all messages before it. */
async function replaySession(
  messages: Session,
  gateway: Pick<TestGateway, 'call'>,
  testProvider: TestProvider,
): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (const [at, message] of messages.entries()) {
    const isAnswer = message.role === 'assistant' && at > 0 && messages[at - 1]!.role !== 'assistant';
    if (!isAnswer) continue;
    const turn = await send(messages.slice(0, at), message, gateway, testProvider);
    turns.push(turn);
    if (turn.status !== 200) break;
  }
  return turns;
}

async function send(
  messages: Session,
  answer: Message | undefined,
  gateway: Pick<TestGateway, 'call'>,
  testProvider: TestProvider,
): Promise<Turn> {
  testProvider.answer(answer === undefined ? { text: 'Done.' } : { body: completionOf(answer) });
  const before = testProvider.requests.length;
  const sent = JSON.stringify({ model: 'recorded', messages });
  const response = await gateway.call('POST', '/api/v1/proxy/chat/completions', {
    body: sent,
    headers: { authorization: `Bearer ${PROVIDER_KEY}` },
  });
  const body = await response.text();
  return { status: response.status, body, sent, received: testProvider.requests[before]?.body.toString() };
}

function completionOf(message: Message): string {
  return JSON.stringify({
    id: 'chatcmpl-replay',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'recorded',
    choices: [{ index: 0, message, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
}

/** True if every message was forwarded identically in each turn, which keeps the provider's prompt cache valid. */
function isStable(turns: readonly Turn[]): boolean {
  let earlier: readonly unknown[] = [];
  for (const { received } of turns) {
    if (received === undefined) continue;
    const { messages } = JSON.parse(received) as { messages: readonly unknown[] };
    if (!isDeepStrictEqual(messages.slice(0, earlier.length), earlier)) return false;
    earlier = messages;
  }
  return true;
}

const count = (text: string, part: string): number => text.split(part).length - 1;
const masks = (text: string): number => text.match(/\[REDACTED\]|\[[A-Z][A-Z_]+(?:_\d+)?\]/g)?.length ?? 0;

function reasonOf({ status, body }: Turn): string {
  const { error } = JSON.parse(body) as { error: { message: string; param?: string } };
  return `${status} ${error.message} ${error.param ?? ''}`.trim();
}

export function tableOf(report: ReplayReport): string {
  const { sessions, turns, planted } = report;
  const share = (count: number, total: number): string =>
    total === 0 ? '–' : `${((count / total) * 100).toFixed(1)}%`;
  const row = (name: string, count: number): string =>
    `  ${name.padEnd(50)}${share(count, sessions).padStart(8)}  ${count}`;
  return [
    `${sessions} sessions, ${turns} requests`,
    row('with a rejected request', report.rejected),
    row('with a blocked response', report.responseBlocked),
    row('with a withheld passage', report.withheld),
    row('with masked content', report.masked),
    row('with a message forwarded in different forms', report.unstable),
    `  ${'requests changed without redaction'.padEnd(58)}  ${report.changedBytes}`,
    `  ${'planted instructions that were blocked'.padEnd(50)}${share(planted.stopped, planted.total).padStart(8)}  of ${planted.total}`,
    ...report.reasons.map((reason) => `  ${reason}`),
    '',
  ].join('\n');
}

if (import.meta.main) {
  const values = readOptions({
    command: 'npm run lab -- replay',
    about: 'Replays recorded agent sessions through the gateway, turn by turn.',
    options: {
      sessions: { type: 'string', value: 'FILE', help: 'Sessions as JSON lines' },
      planted: { type: 'boolean', help: 'Also plant instructions in tool results' },
      seed: { type: 'string', value: 'N', default: '1', help: 'Seed of the planted instructions' },
    },
  });
  await withReplayGateway(async (parts) => {
    const sessions = readSessions(values.sessions ?? '').map(({ messages }) => messages);
    const random = createRandom(Number(values.seed));
    const planted = values.planted === true;
    process.stdout.write(tableOf(await replaySessions(sessions, { ...parts, planted, random })));
  });
}
