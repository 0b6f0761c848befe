import type { Coverage } from '@csg/shared/contract';
import type { FigureId } from './figures.ts';

/** A published standard or law, and how this service covers each of its controls. */
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
  /** Our own description of what is covered, and what is not. */
  readonly statement: string;
  readonly figures: readonly FigureId[];
}
