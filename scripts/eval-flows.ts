/**
 * Measures flow control on recorded sessions of agents: how many of their own calls would be held, and how many calls
 * that obey an order planted in a tool result.
 *   npm run eval:flows -- --sessions FILE [--seed N]
 * FILE has one JSON object a line, with the `messages` of a session as chat completions write them.
 */
import { readFileSync } from 'node:fs';
import { traceCalls } from '../shared/flow-control/index.ts';
import { formatByName, readToolCalls, type ToolCall } from '../shared/providers/index.ts';
import { createRandom, type Random } from './detector/random.ts';
import { type Message, ORDER_KINDS, type PlantedOrder, plantOrder } from './flows/planted-orders.ts';
import { readOptions } from './options.ts';

export interface Session {
  readonly messages: readonly Message[];
}

export interface FlowScores {
  /** Of the agents' own calls. */
  readonly calls: number;
  readonly held: number;
  readonly sessions: number;
  readonly sessionsHeld: number;
  /** By kind of order: calls that obey it, and how many of them were held. */
  readonly planted: ReadonlyMap<string, { calls: number; held: number }>;
}

export function measureFlows(sessions: readonly Session[], random: Random): FlowScores {
  const planted = new Map(Object.keys(ORDER_KINDS).map((kind) => [kind, { calls: 0, held: 0 }]));
  let [calls, held, sessionsHeld] = [0, 0, 0];
  for (const { messages } of sessions) {
    let heldHere = 0;
    for (const [at, message] of messages.entries()) {
      const own = readToolCalls({ message });
      if (at === 0 || own.length === 0) continue;
      calls += own.length;
      heldHere += countHeld(messages.slice(0, at), own);
    }
    held += heldHere;
    if (heldHere > 0) sessionsHeld++;
    for (const [kind, make] of Object.entries(ORDER_KINDS)) {
      const order = make(random);
      const poisoned = plantOrder(messages, order, random);
      if (poisoned === null) continue;
      const score = planted.get(kind)!;
      score.calls++;
      score.held += countHeld(poisoned, callOf(order));
    }
  }
  return { calls, held, sessions: sessions.length, sessionsHeld, planted };
}

function countHeld(messages: readonly Message[], calls: readonly ToolCall[]): number {
  const request = { model: 'model', messages };
  const flows = traceCalls({
    calls,
    conversation: formatByName('openai-chat')!.readRequest(request),
    body: request,
    effectTools: [],
    recordTools: [],
  });
  return new Set(flows.map(({ callPath }) => callPath)).size;
}

/** The call of a model that obeys. */
function callOf({ tool, arguments: args }: PlantedOrder): readonly ToolCall[] {
  const call = { id: 'planted', type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
  return readToolCalls({ message: { role: 'assistant', tool_calls: [call] } });
}

export function tableOf({ calls, held, sessions, sessionsHeld, planted }: FlowScores): string {
  const share = (part: number, whole: number) =>
    whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`;
  const all = [...planted.values()];
  const sum = (name: 'calls' | 'held') => all.reduce((total, score) => total + score[name], 0);
  const rows = [
    ['own calls held', held, calls],
    ['sessions with a call held', sessionsHeld, sessions],
    ['calls that obey a planted order, held', sum('held'), sum('calls')],
    ...[...planted].map(([kind, score]) => [`  ${kind}`, score.held, score.calls] as const),
  ] as const;
  return `${rows.map(([name, part, whole]) => `${name.padEnd(40)}${share(part, whole).padStart(9)} of ${whole}`).join('\n')}\n`;
}

/** Throws an Error that names the first line that is no session. */
export function readSessions(file: string): Session[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      const session = parsed(line);
      if (!Array.isArray(session?.messages)) throw new Error(`${file}, line ${index + 1}: no session`);
      return [session];
    });
}

function parsed(line: string): Session | null {
  try {
    return JSON.parse(line) as Session | null;
  } catch {
    return null;
  }
}

function main(): void {
  const { sessions, seed } = readOptions({
    command: 'npm run eval:flows --',
    about: 'Measures flow control on recorded sessions, their own calls and calls that obey planted orders.',
    options: {
      sessions: { type: 'string', value: 'FILE', help: 'JSON lines with `messages` (required)' },
      seed: { type: 'string', value: 'N', default: '7', help: 'Of the planted orders' },
    },
  });
  if (sessions === undefined) {
    console.error('--sessions FILE says where the sessions are.');
    process.exitCode = 2;
    return;
  }
  try {
    process.stdout.write(tableOf(measureFlows(readSessions(sessions), createRandom(Number(seed)))));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

if (import.meta.main) main();
