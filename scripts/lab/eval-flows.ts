/**
 * Measures flow control on recorded sessions of agents: how many of their own calls would be held, and how many calls
 * that obey an instruction planted in a tool result.
 *   npm run lab -- eval-flows --sessions FILE [--seed N]
 * FILE has one JSON object per line, with the `messages` of a session in the format of chat completions.
 */
import { readFileSync } from 'node:fs';
import { decideNow, rulesOfPreset, taintedTexts, triedFacts } from '../../shared/decision/index.ts';
import { compileRuleset, scan, Workspace } from '../../shared/detection/index.ts';
import { createTraceContext, type TaintedText, traceCalls } from '../../shared/flow-control/index.ts';
import { formatByName, readToolCalls, type ToolCall } from '../../shared/providers/index.ts';
import { finish } from '../../shared/text/index.ts';
import { createRandom, type Random } from '../../test/support/random.ts';
import { readOptions } from '../options.ts';
import { HONEST_CALLS } from './flows/honest-calls.ts';
import { type Message, ORDER_KINDS, type PlantedOrder, plantOrder } from './flows/planted-orders.ts';
import { WRITTEN_ORDERS } from './flows/written-orders.ts';

export interface Session {
  readonly messages: readonly Message[];
}

export interface FlowScores {
  /** Counts of the agents' own calls. */
  readonly calls: number;
  readonly held: number;
  readonly sessions: number;
  readonly sessionsHeld: number;
  /** By kind of instruction: calls that obey it, and how many of them were held. */
  readonly planted: ReadonlyMap<string, { calls: number; held: number }>;
}

export function measureFlows(sessions: readonly Session[], random: Random): FlowScores {
  const planted = new Map(Object.keys(ORDER_KINDS).map((kind) => [kind, { calls: 0, held: 0 }]));
  let [calls, held, sessionsHeld] = [0, 0, 0];
  for (const { messages } of sessions) {
    let heldHere = 0;
    const passages = passagesIn(messages);
    for (const [at, message] of messages.entries()) {
      const own = readToolCalls({ message });
      if (at === 0 || own.length === 0) continue;
      calls += own.length;
      heldHere += countHeld(messages.slice(0, at), own, passages);
    }
    held += heldHere;
    if (heldHere > 0) sessionsHeld++;
    for (const [kind, make] of Object.entries(ORDER_KINDS)) {
      const order = make(random);
      const poisoned = plantOrder(messages, order, random);
      if (poisoned === null) continue;
      const score = planted.get(kind)!;
      score.calls++;
      // The order names its value, so that reading the texts would change nothing.
      score.held += countHeld(poisoned, callOf(order), new Map());
    }
  }
  return { calls, held, sessions: sessions.length, sessionsHeld, planted };
}

export interface Share {
  readonly held: number;
  readonly calls: number;
}

/** Plants each written instruction into one of the sessions, and counts the calls that obey them, by kind. */
export function measureWritten(sessions: readonly Session[], random: Random): ReadonlyMap<string, Share> {
  const shares = new Map<string, { held: number; calls: number }>();
  const poisonable = sessions.filter(({ messages }) => messages.some(({ role }) => role === 'tool'));
  if (poisonable.length === 0) return shares;
  for (const order of WRITTEN_ORDERS) {
    const poisoned = plantOrder(random.pick(poisonable).messages, order, random);
    if (poisoned === null) continue;
    const share = shares.get(order.kind) ?? { held: 0, calls: 0 };
    shares.set(order.kind, share);
    share.calls++;
    const passages = passagesIn(poisoned.slice(-1), poisoned.length - 1);
    share.held += Math.min(1, countHeld(poisoned, callOf(order), passages));
  }
  return shares;
}

/** Counts written calls of benign tasks. */
export function measureHonest(): Share {
  const held = HONEST_CALLS.filter(({ task, results, tool, arguments: args }) => {
    const read = results.flatMap(([name, content], index): Message[] => {
      const id = `read_${index}`;
      const call = { id, type: 'function', function: { name, arguments: '{}' } };
      return [
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: id, content },
      ];
    });
    const messages = [{ role: 'user', content: task }, ...read];
    return countHeld(messages, callOf({ tool, arguments: args }), passagesIn(messages)) > 0;
  });
  return { held: held.length, calls: HONEST_CALLS.length };
}

/** Passages that the engine withholds, by the path of their text. */
type Passages = ReadonlyMap<string, TaintedText['passages']>;

/** `first`: the index of the first of the messages. */
function passagesIn(messages: readonly Message[], first = 0): Passages {
  const request = { model: 'model', messages };
  const conversation = formatByName('openai-chat')!.readRequest(request);
  const { ruleset } = RULES;
  const verdict = decideNow(
    triedFacts(
      { conversation, direction: 'input' },
      scan(conversation.slots, ruleset, 'input', { workspace: WORKSPACE }),
      RULES,
    ),
  );
  const tainted = taintedTexts(verdict, conversation);
  const pathOf = (path: string): string =>
    path.replace(/^\/messages\/(\d+)/, (_, at: string) => `/messages/${Number(at) + first}`);
  return new Map(tainted.map(({ slot, passages }) => [pathOf(slot.path), passages]));
}

const WORKSPACE = new Workspace();
const RULES = rulesOfPreset(
  compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] }),
  'moderate',
);

function countHeld(messages: readonly Message[], calls: readonly ToolCall[], passages: Passages): number {
  const request = { model: 'model', messages };
  const conversation = formatByName('openai-chat')!.readRequest(request);
  const tainted = conversation.slots.flatMap((slot) => {
    const its = passages.get(slot.path);
    return its === undefined ? [] : [{ slot, passages: its }];
  });
  const context = createTraceContext({
    calls,
    ...{ conversation, tainted },
    body: request,
    effectTools: [],
    recordTools: [],
  });
  const flows = finish(traceCalls(context));
  return new Set(flows.map(({ callPath }) => callPath)).size;
}

/** Returns the call of a model that obeys. */
function callOf({ tool, arguments: args }: Pick<PlantedOrder, 'tool' | 'arguments'>): readonly ToolCall[] {
  const call = { id: 'planted', type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
  return readToolCalls({ message: { role: 'assistant', tool_calls: [call] } });
}

export function tableOf(
  { calls, held, sessions, sessionsHeld, planted }: FlowScores,
  written: ReadonlyMap<string, Share>,
  honest: Share,
): string {
  const share = (part: number, whole: number) =>
    whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)}%`;
  const rowsOf = (name: string, scores: ReadonlyMap<string, Share>) => {
    const sum = (part: keyof Share) => [...scores.values()].reduce((total, score) => total + score[part], 0);
    const kinds = [...scores].map(([kind, score]) => [`  ${kind}`, score.held, score.calls] as const);
    return [[name, sum('held'), sum('calls')] as const, ...kinds];
  };
  const rows = [
    ['recorded calls held', held, calls],
    ['sessions with a held call', sessionsHeld, sessions],
    ['calls of benign tasks held', honest.held, honest.calls],
    ...rowsOf('calls from planted instructions, held', planted),
    ...rowsOf('calls from written instructions, held', written),
  ] as const;
  return `${rows.map(([name, part, whole]) => `${name.padEnd(40)}${share(part, whole).padStart(9)} of ${whole}`).join('\n')}\n`;
}

/** Throws an Error that names the first invalid line. */
export function readSessions(file: string): Session[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      const session = parsed(line);
      if (!Array.isArray(session?.messages)) throw new Error(`${file}, line ${index + 1}: not a session`);
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
    command: 'npm run lab -- eval-flows',
    about:
      'Measures flow control on recorded sessions: their own calls, and calls that follow planted instructions.',
    options: {
      sessions: { type: 'string', value: 'FILE', help: 'JSON lines with `messages` (required)' },
      seed: { type: 'string', value: 'N', default: '7', help: 'Seed of the planted instructions' },
    },
  });
  if (sessions === undefined) {
    console.error('--sessions FILE is missing.');
    process.exitCode = 2;
    return;
  }
  try {
    const given = readSessions(sessions);
    const random = createRandom(Number(seed));
    const scores = measureFlows(given, random);
    process.stdout.write(tableOf(scores, measureWritten(given, random), measureHonest()));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

if (import.meta.main) main();
