import { useRead } from './hooks.ts';

const EVERY_MS = 15_000;

/** How many exceptions and tool requests wait for a decision. */
export function useWaiting(): number {
  const { data } = useRead<{ readonly waiting: number }>('/approvals/waiting', { everyMs: EVERY_MS });
  return data?.waiting ?? 0;
}
