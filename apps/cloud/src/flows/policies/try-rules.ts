import type { TryPolicy } from '@csg/shared/contract';
import { compileAllowedValues, compileCustom, piiSpans, SENSITIVE_TYPES } from '@csg/shared/detection';
import { mapping, type Steps } from '@csg/shared/text';
import { checkPolicy } from './check-policy.ts';

export interface SampleResult {
  readonly sample: number;
  readonly hits: { readonly start: number; readonly end: number; readonly reason: string }[];
}

const ALL_TYPES = SENSITIVE_TYPES.map(({ type }) => type);
const ALLOWED = 'Allowed value: this policy does not change it.';

/** Returns the matches of patterns and domains in samples, and the allowed values. Stores nothing. */
export function* tryRules(request: TryPolicy): Steps<{ readonly results: SampleResult[] }> {
  const { samples, ...rules } = request;
  const policy = { name: 'this policy', action: 'block', threatTypes: [], rules } as const;
  yield* checkPolicy({ ...policy, priority: 0, threatTypes: ['custom_policy', 'pii_leak'] });
  const custom = compileCustom([{ id: 'pol_draft', ...policy }]);
  const allowed = compileAllowedValues([{ id: 'pol_draft', ...policy }]);
  const allowedHits = (text: string) =>
    allowed === null
      ? []
      : piiSpans(text, ALL_TYPES)
          .filter(({ start, end }) => allowed(text.slice(start, end)) !== undefined)
          .map(({ start, end }) => ({ start, end, reason: ALLOWED }));
  const resultOf = (text: string, sample: number): SampleResult => ({
    sample,
    hits: [...(custom?.find(text) ?? []), ...allowedHits(text)].map(({ start, end, reason }) => ({
      start,
      end,
      reason,
    })),
  });
  return { results: yield* mapping(samples.entries(), ([sample, text]) => resultOf(text, sample), 1) };
}
