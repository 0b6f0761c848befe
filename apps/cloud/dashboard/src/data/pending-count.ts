import { useApiQuery } from './hooks.ts';

const REFETCH_MS = 15_000;

/** How many exceptions and tool requests wait for a decision. */
export function usePendingCount(): number {
  const { data } = useApiQuery<{ readonly waiting: number }>('/approvals/waiting', { refetchMs: REFETCH_MS });
  return data?.waiting ?? 0;
}
