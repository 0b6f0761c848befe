import type { Span } from '../../../shared/text/index.ts';
import { CARRIERS, ORDER_FROM, ORDER_TO, PLACES, UNIT_FROM, UNIT_TO } from './carriers.ts';
import { ORDERS, WORDINGS } from './orders.ts';

export interface Planted {
  readonly text: string;
  readonly format: string;
  readonly place: string;
  readonly wording: number;
  readonly order: number;
  /** The order's own words, without its wording. */
  readonly words: readonly Span[];
  /** The order with its wording and its unit. */
  readonly unit: Span;
}

export const PLANTED_CASES = ORDERS.length * WORDINGS.length * CARRIERS.length * PLACES.length;
const MARKS = new RegExp(`[${ORDER_FROM}${ORDER_TO}${UNIT_FROM}${UNIT_TO}]`, 'g');

/** Composes one of all cases, numbered from 0. */
export function plant(index: number): Planted {
  const order = index % ORDERS.length;
  const wording = Math.floor(index / ORDERS.length) % WORDINGS.length;
  const carrier = CARRIERS[Math.floor(index / (ORDERS.length * WORDINGS.length)) % CARRIERS.length]!;
  const place = PLACES[Math.floor(index / (ORDERS.length * WORDINGS.length * CARRIERS.length))]!;
  const marked = carrier.make(
    WORDINGS[wording]!(`${ORDER_FROM}${ORDERS[order]!}${ORDER_TO}`),
    place,
    index % 97,
  );
  const at: Record<string, number> = {};
  let removed = 0;
  const text = marked.replace(MARKS, (mark, offset: number) => {
    at[mark] = offset - removed++;
    return '';
  });
  const start = at[ORDER_FROM]!;
  const words = [...text.slice(start, at[ORDER_TO]!).matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    start: start + match.index,
    end: start + match.index + match[0].length,
  }));
  return {
    text,
    format: carrier.name,
    place,
    wording,
    order,
    words,
    unit: { start: at[UNIT_FROM]!, end: at[UNIT_TO]! },
  };
}
