import { JAILBREAK_RULES } from './jailbreak.ts';
import { LEAK_RULES } from './leak.ts';
import { OVERRIDE_RULES } from './override.ts';
import type { Rule } from './rule.ts';

export const RULES: readonly Rule[] = [...OVERRIDE_RULES, ...JAILBREAK_RULES, ...LEAK_RULES];
