import { readJsonLines } from '../read-texts.ts';
import type { PlantedOrder } from './planted-orders.ts';

export interface WrittenOrder extends PlantedOrder {
  /** How it is written, or the set of orders that were written together: README.md. */
  readonly kind: string;
}

/** Instructions as attackers write them, with the call of an obedient model. */
export const WRITTEN_ORDERS: readonly WrittenOrder[] = readJsonLines(
  new URL('written-orders.jsonl', import.meta.url),
);
