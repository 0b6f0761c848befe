import { FEATURE_BITS } from './feature-list.ts';
import storedData from './weights-data.json' with { type: 'json' };
import storedUser from './weights-user.json' with { type: 'json' };

/** How a text is read: as its author's instruction, or as data the model was only meant to look at. */
export type ReadingKind = 'user' | 'data';

export interface ReadingModel {
  /** One signed byte per feature; the score is their sum times `scale` plus `bias`. */
  readonly values: Int8Array;
  readonly scale: number;
  readonly bias: number;
  /** Whether frames count, not only words and meanings. */
  readonly frames: boolean;
  /** Units a window may span. */
  readonly window: number;
  /** Taken off per doubling of the sentences beyond three. */
  readonly slope: number;
  /** And more per doubling beyond ten. */
  readonly steep: number;
  /** The margin at which a text is called an attack. */
  readonly threshold: number;
  /** Margins and the share of attacks among texts with such a margin, ascending. */
  readonly calibration: readonly (readonly [number, number])[];
}

interface StoredReading {
  readonly values: string;
  readonly frames: boolean;
  readonly scale: number;
  readonly bias: number;
  readonly window: number;
  readonly slope: number;
  readonly steep: number;
  readonly threshold: number;
  readonly calibration: readonly (readonly number[])[];
}

function load(reading: StoredReading): ReadingModel {
  const bytes = atob(reading.values);
  const values = new Int8Array(1 << FEATURE_BITS);
  for (let i = 0; i < values.length && i < bytes.length; i++) values[i] = bytes.charCodeAt(i);
  const calibration = reading.calibration.map(([margin = 0, share = 0]) => [margin, share] as const);
  return { ...reading, values, calibration };
}

export const MODELS: Readonly<Record<ReadingKind, ReadingModel>> = {
  user: load(storedUser),
  data: load(storedData),
};

/** A margin as the share of attacks among texts with such a margin. */
export function confidenceOf(model: ReadingModel, margin: number): number {
  const { calibration } = model;
  const last = calibration.length - 1;
  if (last < 0) return 1 / (1 + Math.exp(-margin));
  if (margin <= calibration[0]![0]) return calibration[0]![1];
  for (let i = 1; i <= last; i++) {
    const [upper, share] = calibration[i]!;
    if (margin > upper) continue;
    const [lower, below] = calibration[i - 1]!;
    return below + ((share - below) * (margin - lower)) / (upper - lower);
  }
  return calibration[last]![1];
}
