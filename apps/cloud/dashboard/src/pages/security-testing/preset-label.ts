import type { StrictnessLevel, UseCase } from '@csg/shared/contract';
import { STRICTNESS_LABELS, USE_CASE_LABELS } from '../../data/labels.ts';

/** Display name of `support_bot:strict`. */
export function presetLabel(name: string): string {
  const [useCase = '', level = ''] = name.split(':');
  const labels = [
    USE_CASE_LABELS[useCase as UseCase]?.name,
    STRICTNESS_LABELS[level as StrictnessLevel]?.name,
  ];
  return labels.every((label) => label !== undefined) ? `${labels[0]}, ${labels[1]?.toLowerCase()}` : name;
}
