import { choice } from './fields.ts';

export const FAIL_MODES = ['open', 'closed'] as const;
export type FailMode = (typeof FAIL_MODES)[number];
export const failModeEnum = choice('FailMode', FAIL_MODES);
export const USE_CASES = [
  'default',
  'support_bot',
  'code_assistant',
  'rag_system',
  'data_analysis',
  'creative_writing',
] as const;
export type UseCase = (typeof USE_CASES)[number];
export const useCaseEnum = choice('UseCase', USE_CASES);
export const STRICTNESS_LEVELS = ['strict', 'moderate', 'permissive'] as const;
export type StrictnessLevel = (typeof STRICTNESS_LEVELS)[number];
export const strictnessEnum = choice('StrictnessLevel', STRICTNESS_LEVELS);
