import type { TryPolicy } from '@csg/shared/contract';
import { compileCustom } from '@csg/shared/detection';
import type { Clock } from '../clock.ts';
import { checkPolicy } from './check-policy.ts';

export interface TriedSample {
  readonly sample: number;
  readonly hits: { readonly start: number; readonly end: number; readonly reason: string }[];
}

/** Where patterns and domains match in samples. Stores nothing. */
export function tryRules(
  deps: { readonly clock: Clock },
  request: TryPolicy,
): { readonly results: TriedSample[] } {
  const { samples, ...rules } = request;
  const policy = { name: 'this policy', action: 'block', threatTypes: [], rules } as const;
  checkPolicy({ ...policy, priority: 0, threatTypes: ['custom_policy'] }, deps.clock);
  const custom = compileCustom([{ id: 'pol_draft', ...policy }]);
  return {
    results: samples.map((text, sample) => ({
      sample,
      hits: (custom?.find(text) ?? []).map(({ start, end, reason }) => ({ start, end, reason })),
    })),
  };
}
