import { checkAnswers } from '../check-answers.ts';
import { startOurs } from '../targets.ts';
import { WORKLOADS, type Workload } from '../workloads.ts';
import type { RevisionTree } from './revision-tree.ts';
import { sendRequests } from './send-requests.ts';
import { threadCpuUs } from './thread-cpu.ts';

/** What is compared: the name, the requests of a round, and the requests before the first. */
const ROWS = [
  { workload: WORKLOADS.small, share: 1 },
  { workload: WORKLOADS.stream, share: 0.4 },
  { workload: { ...WORKLOADS.small, name: 'one at a time', connections: 1 }, share: 0.4 },
] as const;

export interface RevisionFigures {
  readonly workload: string;
  /** By revision, in the order asked for: CPU microseconds of the gateway's process per request, round by round. */
  readonly cpuUs: readonly (readonly number[])[];
}

export interface RevisionPlan {
  readonly rounds: number;
  /** 1 KB requests of a round; the dearer rows take fewer. */
  readonly requests: number;
  readonly warmUp: number;
}

/** Starts a gateway of each revision, warms all up, and measures them A B, B A, A B … */
export async function measureRevisions(
  trees: readonly RevisionTree[],
  providerUrl: string,
  plan: RevisionPlan,
  note: (line: string) => void,
): Promise<RevisionFigures[]> {
  await using running = new AsyncDisposableStack();
  const targets: Awaited<ReturnType<typeof startOurs>>[] = [];
  for (const { folder, revision } of trees) {
    note(`start ${revision}`);
    const target = await startOurs(providerUrl, { root: folder });
    running.defer(target.stop);
    targets.push(target);
  }
  const measure = async (target: (typeof targets)[number], workload: Workload, requests: number) => {
    const before = threadCpuUs(target.process.pid);
    await sendRequests(target, workload, requests);
    return (threadCpuUs(target.process.pid) - before) / requests;
  };
  const figures: RevisionFigures[] = [];
  for (const { workload, share } of ROWS) {
    note(`${workload.name}: warm-up`);
    await checkAnswers(targets, workload);
    for (const target of targets) await sendRequests(target, workload, Math.ceil(plan.warmUp * share));
    const cpuUs = targets.map((): number[] => []);
    for (let round = 0; round < plan.rounds; round++) {
      const order = [...targets.keys()];
      if (round % 2 === 1) order.reverse();
      for (const index of order) {
        cpuUs[index]!.push(await measure(targets[index]!, workload, Math.ceil(plan.requests * share)));
      }
      note(`${workload.name}: ${cpuUs.map((each) => each.at(-1)!.toFixed(0)).join(' ')}`);
    }
    figures.push({ workload: workload.name, cpuUs });
  }
  return figures;
}
