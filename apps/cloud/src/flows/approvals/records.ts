import { exceptionSchema, toolRequestSchema } from '@csg/shared/contract';
import { wireOf } from '../../wire/wire-of.ts';

export const exceptionRecord = wireOf(exceptionSchema);
export const toolRequestRecord = wireOf(toolRequestSchema);
