/** Says what a turn of this thread was spent on, by stacks that V8 takes each millisecond. */
import { type Profiler, Session } from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Turn } from '../../../test/support/watch-turns.ts';

const INTERVAL_US = 500;
const ROOT = path.resolve(import.meta.dirname, '../../..');
const SHOWN = 3;

export function profileTurns(): { explain(turn: Turn): Promise<string> } {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  session.post('Profiler.start');
  return {
    async explain({ fromMs, toMs }) {
      // V8 stamps samples with the clock of `hrtime`.
      const offsetUs = Number(process.hrtime.bigint() / 1000n) - performance.now() * 1000;
      const profile = await new Promise<Profiler.Profile>((resolve, reject) =>
        session.post('Profiler.stop', (error, result) => (error ? reject(error) : resolve(result.profile))),
      );
      session.disconnect();
      return spentOn(profile, fromMs * 1000 + offsetUs, toMs * 1000 + offsetUs);
    },
  };
}

function spentOn(
  { nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile,
  from: number,
  to: number,
) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const times = new Map<string, number>();
  let atUs = startTime;
  for (const [index, id] of samples.entries()) {
    const deltaUs = timeDeltas[index] ?? 0;
    atUs += deltaUs;
    if (atUs < from || atUs > to) continue;
    const place = ownPlace(id);
    times.set(place, (times.get(place) ?? 0) + deltaUs);
  }
  const most = [...times].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  return most.map(([place, us]) => `${place} ${(us / 1000).toFixed(0)}`).join(', ');

  /** The innermost function of this project that was running. */
  function ownPlace(id: number): string {
    const leaf = byId.get(id)?.callFrame.functionName;
    if (leaf === '(garbage collector)') return leaf;
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { url, functionName, lineNumber } = byId.get(at)!.callFrame;
      if (!url.startsWith('file:')) continue;
      const file = path.relative(ROOT, fileURLToPath(url));
      if (file.includes('node_modules')) continue;
      return `${functionName} (${file}:${lineNumber + 1})`;
    }
    return leaf === '(idle)' ? leaf : 'others';
  }
}
