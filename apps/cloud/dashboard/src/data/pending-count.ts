import { useApiQuery } from './hooks.ts';

const REFETCH_MS = 15_000;

/** Number of pending exceptions, tool requests and tool calls. */
export function usePendingCount(): number {
  const { data } = useApiQuery<{ readonly waiting: number }>('/approvals/waiting', { refetchMs: REFETCH_MS });
  return data?.waiting ?? 0;
}
