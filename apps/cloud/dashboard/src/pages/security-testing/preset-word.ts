import type { StrictnessLevel, UseCase } from '@csg/shared/contract';
import { STRICTNESS_WORDS, USE_CASE_WORDS } from '../../data/words.ts';

/** `support_bot:strict` as people read it. */
export function presetWord(name: string): string {
  const [useCase = '', level = ''] = name.split(':');
  const words = [USE_CASE_WORDS[useCase as UseCase]?.name, STRICTNESS_WORDS[level as StrictnessLevel]?.name];
  return words.every((word) => word !== undefined) ? `${words[0]}, ${words[1]?.toLowerCase()}` : name;
}
