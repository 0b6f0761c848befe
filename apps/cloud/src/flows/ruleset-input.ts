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
      .map(({ id, name, action, threatTypes, rules }) => ({
        id,
        action,
        threatTypes,
        // Bundles of devices and worker threads carry it: what says nothing is left out.
        ...(Object.keys(rules).length === 0 ? {} : { name, rules }),
      })),
  };
}
