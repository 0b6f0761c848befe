import { JAILBREAK_RULES } from './jailbreak.ts';
import { LEAK_RULES } from './leak.ts';
import { ANSWER_RULES, MARKUP_RULES } from './markup.ts';
import { OVERRIDE_RULES } from './override.ts';
import type { Rule } from './rule.ts';
import { TOOL_CALL_RULES } from './tool-call.ts';

/** Sets of rules, by what they are tried on. */
export const RULE_SETS = {
  /** What users write and data says. */
  attacks: [...OVERRIDE_RULES, ...JAILBREAK_RULES, ...LEAK_RULES],
  /** Arguments of tool calls. */
  calls: TOOL_CALL_RULES,
  /** Markup in answers and in data. */
  markup: MARKUP_RULES,
  /** Answers. */
  answers: ANSWER_RULES,
} as const satisfies Readonly<Record<string, readonly Rule[]>>;
