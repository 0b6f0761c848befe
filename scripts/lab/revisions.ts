/**
 * CPU of the gateway's process per request, of revisions beside each other in one run:
 *   npm run lab -- revisions 173d406 here
 *   npm run lab -- revisions --limit 1.1           the last released revision against this one; exit code 1: dearer
 * Before the first release, the last revision of the day before takes its place.
 */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readArguments } from '../options.ts';
import { measureRevisions, type RevisionFigures } from './bench/revisions/measure-revisions.ts';
import { isDearer, pairedRatio } from './bench/revisions/paired-ratio.ts';
import {
  HERE,
  releasedRevision,
  revisionOfDayBefore,
  revisionTree,
} from './bench/revisions/revision-tree.ts';
import { OTHER_CORE, pin, startProcess } from './bench/start-process.ts';
import { median } from './bench/statistics.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Not below node_modules, where Node strips no types. */
const CACHE = path.join(tmpdir(), 'csg-bench-revisions');

const { values, operands } = readArguments({
  command: 'npm run lab -- revisions',
  about: `Measures CPU per request of revisions in turns (A B, B A, …). '${HERE}' is the working tree. Without revisions: the last released one, or before the first release the last of the day before, and '${HERE}'. Ratios are to the first.`,
  operands: '[REVISION …]',
  options: {
    pairs: { type: 'string', default: '10', value: 'N', help: 'Rounds of each revision and load' },
    requests: {
      type: 'string',
      default: '2000',
      value: 'N',
      help: 'Requests of 1 KB in a round; fewer of others',
    },
    'warm-up': {
      type: 'string',
      default: '40000',
      value: 'N',
      help: 'Requests of 1 KB before the first round',
    },
    limit: {
      type: 'string',
      value: 'RATIO',
      help: 'Exit code 1 if the whole 95 % interval of a ratio is above it, such as 1.1',
    },
  },
});

const note = (line: string): void => void process.stderr.write(`  ${line}\n`);

function print(revisions: readonly string[], figures: readonly RevisionFigures[], limit: number): boolean {
  let isOver = false;
  for (const { workload, cpuUs } of figures) {
    for (const [index, rounds] of cpuUs.entries()) {
      const line = `${workload}, ${revisions[index]}: ${median(rounds).toFixed(0)} µs of CPU per request`;
      if (index === 0) console.log(line);
      else {
        const ratio = pairedRatio(rounds, cpuUs[0]!);
        const { from, to, pairs } = ratio;
        const interval = `${from.toFixed(3)} to ${to.toFixed(3)} in ${pairs} pairs`;
        isOver ||= isDearer(ratio, limit);
        console.log(`${line}, ${ratio.median.toFixed(3)} of ${revisions[0]} (${interval})`);
      }
    }
  }
  return isOver;
}

async function main(): Promise<void> {
  const base = releasedRevision(ROOT) ?? revisionOfDayBefore(ROOT);
  if (operands.length === 0 && base === undefined) {
    throw new Error('There is no released revision, and none of the day before: name one.');
  }
  const revisions = operands.length === 0 ? [base!, HERE] : operands;
  const trees = revisions.map((revision) => revisionTree(ROOT, CACHE, revision));
  pin();
  const provider = await startProcess({
    cores: OTHER_CORE,
    command: [process.execPath, path.join(import.meta.dirname, 'bench/test-provider.ts')],
    ready: /listening on (\S+)/,
  });
  try {
    const plan = {
      rounds: Number(values.pairs),
      requests: Number(values.requests),
      warmUp: Number(values['warm-up']),
    };
    const figures = await measureRevisions(trees, provider.match[1]!, plan, note);
    const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit);
    if (!print(revisions, figures, limit)) return;
    console.log(`Dearer than ${limit} times ${revisions[0]}: the whole interval is above it.`);
    process.exitCode = 1;
  } finally {
    await provider.stop();
  }
}

await main();
