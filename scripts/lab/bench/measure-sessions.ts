import { openConnection } from './one-connection.ts';
import { median, type Rounds, type Summary, summarize } from './statistics.ts';
import type { Target } from './targets.ts';
import { mixedText } from './texts.ts';

/** Sessions of coding agents: each turn sends the whole history again and adds a call and its result. */
export const SESSIONS = {
  '200 KB, 4 KB a turn': { messages: 50, characters: 4_000, turns: 20 },
  '1.6 MB, 300 messages': { messages: 300, characters: 5_300, turns: 4 },
} as const;
export type SessionName = keyof typeof SESSIONS;

export interface SessionLatency {
  readonly session: SessionName;
  readonly target: string;
  /** Of a turn after the first, which is the only one that is all new. */
  readonly p50Ms: Summary;
}

type Addressed = Pick<Target, 'url' | 'headers'> & { readonly name: string };

/** One client, turn after turn; the targets in turns, each with the same texts, and with others in each round. */
export async function measureSessions(
  targets: readonly Addressed[],
  rounds: number,
  note: (line: string) => void,
): Promise<SessionLatency[]> {
  const figures: SessionLatency[] = [];
  for (const session of Object.keys(SESSIONS) as SessionName[]) {
    note(`session of ${session}: ${rounds} rounds`);
    const times = new Map<string, Rounds>();
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const bodies = turnsOf(session, round);
      for (const target of targets) {
        const p50 = await timeTurns(target, bodies);
        if (round > 0) times.set(target.name, [...(times.get(target.name) ?? []), p50]);
      }
    }
    for (const [target, values] of times) figures.push({ session, target, p50Ms: summarize(values) });
  }
  return figures;
}

/** The bodies of a session's turns. */
function turnsOf(session: SessionName, round: number): readonly Buffer[] {
  const { messages, characters, turns } = SESSIONS[session];
  const history = Array.from({ length: messages + turns }, (_, at) => messageOf(at, characters, round));
  return Array.from({ length: turns }, (_, turn) =>
    Buffer.from(
      JSON.stringify({ model: 'gpt-4o-bench', messages: history.slice(0, messages + turn).flat() }),
    ),
  );
}

/** A call of a tool with its result, or what the model said and what the user asked next. */
function messageOf(at: number, characters: number, round: number): readonly object[] {
  const seed = 1 + at + round * 10_000;
  const text = mixedText(characters, seed).toWellFormed();
  if (at % 5 === 0) return [{ role: 'user', content: text }];
  const id = `call_${seed}`;
  const call = {
    id,
    type: 'function',
    function: { name: 'read_file', arguments: `{"path":"src/${at}.ts"}` },
  };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: text },
  ];
}

async function timeTurns(target: Addressed, bodies: readonly Buffer[]): Promise<number> {
  const connection = openConnection(target);
  const times: number[] = [];
  for (const body of bodies) {
    const begun = performance.now();
    const { status } = await connection.post(body);
    times.push(performance.now() - begun);
    if (status !== 200) throw new Error(`session, ${target.name}: answered ${status}`);
  }
  await connection.close();
  return median(times.slice(1));
}
