import { STRICTNESS_LEVELS, USE_CASES } from '../vocabulary/index.ts';
import { choice } from './fields.ts';

export {
  STRICTNESS_LEVELS,
  type StrictnessLevel,
  USE_CASES,
  type UseCase,
} from '../vocabulary/index.ts';

export const FAIL_MODES = ['open', 'closed'] as const;
export type FailMode = (typeof FAIL_MODES)[number];
export const failModeEnum = choice('FailMode', FAIL_MODES);
export const useCaseEnum = choice('UseCase', USE_CASES);
export const strictnessEnum = choice('StrictnessLevel', STRICTNESS_LEVELS);
