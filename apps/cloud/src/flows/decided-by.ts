import type { DecidedBy } from '@csg/shared/contract';
import type { RulesetInput } from '@csg/shared/detection';

/** Names the preset as the deciding rule, with use case and strictness at that time. */
export function decidedByPreset({
  useCase,
  strictness,
}: Pick<RulesetInput, 'useCase' | 'strictness'>): DecidedBy {
  return { kind: 'preset', id: `${useCase}:${strictness}` };
}
