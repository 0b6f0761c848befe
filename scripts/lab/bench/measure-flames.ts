import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CpuProfile, drawFlames } from './draw-flames.ts';
import { runLoad } from './run-load.ts';
import { startOurs } from './targets.ts';
import { WORKLOADS } from './workloads.ts';

const SECONDS = 6;

/** Where the gateway's processor time goes, a picture for each kind of load, by name. In processes of their own: profiling costs. */
export async function measureFlames(
  providerUrl: string,
  note: (line: string) => void,
): Promise<Record<string, string>> {
  const pictures: Record<string, string> = {};
  const kinds = {
    small: WORKLOADS.small,
    large: WORKLOADS.large,
    stream: WORKLOADS.stream,
    'low-load': { ...WORKLOADS.small, about: `${WORKLOADS.small.about}, one at a time`, connections: 1 },
  };
  for (const [name, workload] of Object.entries(kinds)) {
    note(`flame graph: ${name}`);
    const folder = mkdtempSync(path.join(tmpdir(), 'csg-bench-flames-'));
    try {
      const nodeOptions = ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-interval', '300'];
      const target = await startOurs(providerUrl, { nodeOptions });
      try {
        await runLoad({
          ...workload,
          name: `flame graph, ${name}`,
          url: target.url,
          headers: target.headers,
          seconds: SECONDS,
        });
      } finally {
        await target.stop();
      }
      pictures[name] = drawFlames(`Processor time of the gateway: ${workload.about}`, readProfile(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return pictures;
}

/** Worker threads write profiles too; the main thread's is the largest. */
function readProfile(folder: string): CpuProfile {
  const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const [largest] = texts.sort((a, b) => b.length - a.length);
  if (largest === undefined) throw new Error('The gateway left no profile behind.');
  return JSON.parse(largest) as CpuProfile;
}
