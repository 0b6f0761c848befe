import type { DesktopFigures } from './desktop-proxy.ts';
import type { EngineFigures } from './engine.ts';
import type { LoopBlocks } from './measure-blocks.ts';
import type { GatewayFigures } from './measure-gateways.ts';
import type { Replicas } from './measure-replicas.ts';
import type { Scale } from './measure-scale.ts';
import type { RecordCost } from './record-cost.ts';

/** One run of the benchmark, as it is written to docs/benchmarks. Names no host and no path. */
export interface Results extends GatewayFigures {
  readonly takenAt: string;
  readonly profile: 'quick' | 'full';
  readonly machine: Readonly<Record<string, string | number | boolean>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly engine: EngineFigures | null;
  readonly record: RecordCost | null;
  readonly blocks: LoopBlocks | null;
  readonly replicas: Replicas | null;
  readonly scale: Scale | null;
  readonly desktop: DesktopFigures | null;
  /** What was left out, and why. */
  readonly skipped: Readonly<Record<string, string>>;
}
