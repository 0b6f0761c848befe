import type { Coverage } from '@csg/shared/contract';
import type { FigureId } from './figures.ts';

/** A published list or law, and what this service does about each point of it. */
export interface Framework {
  readonly id: string;
  readonly name: string;
  readonly edition: string;
  readonly source: string;
  readonly controls: readonly Control[];
}

export interface Control {
  readonly id: string;
  readonly title: string;
  readonly coverage: Coverage;
  /** Own words: what is done, and what is not. */
  readonly statement: string;
  readonly figures: readonly FigureId[];
}
