import type { DesktopFigures } from './desktop-proxy.ts';
import type { EngineFigures } from './engine.ts';
import type { HeldStreams } from './hold-streams.ts';
import type { LoopBlocks } from './measure-blocks.ts';
import type { Latency } from './measure-latency.ts';
import type { Replicas } from './measure-replicas.ts';
import type { Scale } from './measure-scale.ts';
import type { Throughput } from './measure-throughput.ts';
import type { RecordCost } from './record-cost.ts';
import type { StoredBytes } from './stored-bytes.ts';

/** One run of the benchmark, as it is written to docs/benchmarks. Names no host and no path. */
export interface Results {
  readonly takenAt: string;
  readonly profile: 'quick' | 'full';
  readonly machine: Readonly<Record<string, string | number | boolean>>;
  readonly versions: Readonly<Record<string, string>>;
  /** By the workload's name. */
  readonly throughput: Readonly<Record<string, readonly Throughput[]>>;
  readonly latency: readonly Latency[] | null;
  readonly engine: EngineFigures | null;
  readonly record: RecordCost | null;
  readonly stored: StoredBytes | null;
  readonly heldStreams: readonly HeldStreams[] | null;
  readonly blocks: LoopBlocks | null;
  readonly replicas: Replicas | null;
  readonly scale: Scale | null;
  readonly desktop: DesktopFigures | null;
  /** What was left out, and why. */
  readonly skipped: Readonly<Record<string, string>>;
}
