import stored from '../model/weights-guarded.json' with { type: 'json' };
import { GUARDED_SIZE, type GuardedWeights } from './score-guarded.ts';

export interface GuardedModel extends GuardedWeights {
  /**
   * `threshold`: the score that one in thirty honest questions next to a guard reaches. `slope`: how fast the log-odds
   * grow with the score.
   */
  readonly threshold: number;
  readonly slope: number;
}

function load({ values, ...rest }: typeof stored): GuardedModel {
  const bytes = atob(values);
  const table = new Int8Array(GUARDED_SIZE);
  for (let i = 0; i < table.length && i < bytes.length; i++) table[i] = bytes.charCodeAt(i);
  return { ...rest, values: table };
}

export const GUARDED_MODEL: GuardedModel = load(stored);
