import { DATA_RULES } from './data.ts';
import { JAILBREAK_RULES } from './jailbreak.ts';
import { LEAK_RULES } from './leak.ts';
import { ANSWER_RULES, MARKUP_RULES } from './markup.ts';
import { OVERRIDE_RULES } from './override.ts';
import type { Rule } from './rule.ts';
import { SQL_NUMBER_RULE } from './sql-numbers.ts';
import { TOOL_COMMAND_RULES } from './tool-commands.ts';
import { TOOL_ASIDE_RULES, TOOL_POISONING_RULES } from './tool-poisoning.ts';
import { TOOL_VALUE_RULES } from './tool-values.ts';

/** Sets of rules, by the texts they run on. */
export const RULE_SETS = {
  /** Texts of users, and data. */
  attacks: [...OVERRIDE_RULES, ...JAILBREAK_RULES, ...LEAK_RULES],
  /** Data. */
  data: DATA_RULES,
  /** Arguments of tool calls. */
  calls: [...TOOL_COMMAND_RULES, ...TOOL_VALUE_RULES, SQL_NUMBER_RULE],
  /** Descriptions of tools and of their parameters; their confidences are shares that add up. */
  definitions: TOOL_POISONING_RULES,
  definitionsAside: TOOL_ASIDE_RULES,
  /** Markup in responses and in data. */
  markup: MARKUP_RULES,
  /** Responses. */
  answers: ANSWER_RULES,
} as const satisfies Readonly<Record<string, readonly Rule[]>>;
