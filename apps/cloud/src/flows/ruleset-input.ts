import type { StrictnessLevel, UseCase } from '@csg/shared/contract';
import type { RulesetInput } from '@csg/shared/detection';
import type { Policy } from '../storage/storage.ts';

/** Returns the input from which the engine compiles a project's ruleset, in the cloud and on its devices alike. */
export function rulesetInput(
  preset: { readonly useCase: UseCase; readonly strictnessLevel: StrictnessLevel },
  policies: readonly Policy[],
): RulesetInput {
  return {
    useCase: preset.useCase,
    strictness: preset.strictnessLevel,
    // Rows seeded from the preset only describe it; as policies they would also apply to responses.
    policies: policies
      .filter((policy) => !policy.fromPreset)
      .map(({ id, name, action, threatTypes, rules }) => ({
        id,
        action,
        threatTypes,
        // Empty rules are left out, because device bundles and worker threads carry this input.
        ...(Object.keys(rules).length === 0 ? {} : { name, rules }),
      })),
  };
}
