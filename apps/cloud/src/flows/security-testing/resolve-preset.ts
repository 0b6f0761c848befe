import { CodedError } from '@csg/shared/contract';
import { listPresets, type Preset, parsePreset } from '@csg/shared/detection';

export interface TargetPreset extends Preset {
  /** `use_case:strictness`. */
  readonly name: string;
}

const UNNAMED = 'default';

/** Returns the preset for `target_preset`, or the default if none is named; else throws invalid_preset. */
export function resolvePreset(named: unknown): TargetPreset {
  const requested = named ?? UNNAMED;
  const preset = typeof requested === 'string' ? parsePreset(requested) : undefined;
  if (preset === undefined) {
    throw new CodedError('invalid_preset', {
      message: 'This preset is unknown. "valid_presets" lists all presets.',
      fields: { param: 'target_preset', valid_presets: listPresets() },
    });
  }
  return { ...preset, name: `${preset.useCase}:${preset.strictness}` };
}
