import type { DecidedBy } from '@csg/shared/contract';
import type { RulesetInput } from '@csg/shared/detection';

/** The preset as what decided: use case and strictness as they were then. */
export function decidedByPreset({
  useCase,
  strictness,
}: Pick<RulesetInput, 'useCase' | 'strictness'>): DecidedBy {
  return { kind: 'preset', id: `${useCase}:${strictness}` };
}
