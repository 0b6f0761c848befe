import type { StrictnessLevel, UseCase } from '@csg/shared/contract';
import type { RulesetInput } from '@csg/shared/detection';
import type { Policy } from '../storage/storage.ts';

/** What the engine compiles for a project, in the cloud and on its devices alike. */
export function rulesetInput(
  preset: { readonly useCase: UseCase; readonly strictnessLevel: StrictnessLevel },
  policies: readonly Policy[],
): RulesetInput {
  return {
    useCase: preset.useCase,
    strictness: preset.strictnessLevel,
    // Rows seeded from the preset only tell what it does; as policies they would count for answers too.
    policies: policies
      .filter((policy) => !policy.fromPreset)
      .map(({ id, action, threatTypes }) => ({ id, action, threatTypes })),
  };
}
