import type { HeldCalls } from '@csg/shared/contract';
import type { SecurityEvent, Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { type PastEventsDeps, readPastEvents } from '../policies/read-past-events.ts';

export interface HeldCallsDeps extends PastEventsDeps {
  readonly storage: Pick<Storage, 'events' | 'eventCounts'>;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;
const RULE = /^flow_control\.(?!source$)(\w+)$/;

/** Counts by tool the calls of the last days that flow control found, whatever action followed. */
export async function countHeldCalls(
  deps: HeldCallsDeps,
  organizationId: string,
  projectId: string,
  days: number,
): Promise<HeldCalls> {
  const toMs = deps.clock.now() + 1;
  const span = { fromMs: toMs - days * DAY_MS, toMs, projectId };
  const past = await readPastEvents(deps, organizationId, span);
  const byTool = new Map<string | null, { calls: number; kinds: Set<string> }>();
  for await (const { event, weight } of past.events)
    for (const [tool, kinds, calls] of callsOf(event)) {
      const count = byTool.get(tool) ?? { calls: 0, kinds: new Set() };
      count.calls += calls * weight;
      for (const kind of kinds) count.kinds.add(kind);
      byTool.set(tool, count);
    }
  const tools = [...byTool].map(([tool, { calls, kinds }]) => ({
    ...{ tool, calls: Math.round(calls), kinds: [...kinds].sort() },
  }));
  return {
    days,
    calls: tools.reduce((sum, { calls }) => sum + calls, 0),
    estimated: past.isSample,
    tools: tools.toSorted((a, b) => b.calls - a.calls),
  };
}

/** Returns, for each tool in an event, the kinds of values and the number of calls that had them. */
function callsOf({ findings }: SecurityEvent): [string | null, ReadonlySet<string>, number][] {
  const found = findings.flatMap(({ rule, path, tool = null }) => {
    const kind = RULE.exec(rule)?.[1];
    return kind === undefined ? [] : [{ kind, tool, call: path.slice(0, path.indexOf('#')) }];
  });
  return [...Map.groupBy(found, ({ tool }) => tool)].map(([tool, rows]) => [
    tool,
    new Set(rows.map(({ kind }) => kind)),
    new Set(rows.map(({ call }) => call)).size,
  ]);
}
