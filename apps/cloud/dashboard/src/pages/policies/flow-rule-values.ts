import type { DataSource, FlowRule, FlowValue, ToolEffect } from '@csg/shared/contract';

/** Form values of a rule about tool calls; every field is present. */
export interface FlowRuleValues {
  /** If true, the rule limits the number of calls, and has no sources or values. */
  isLimit: boolean;
  from: DataSource[];
  from_tools: string[];
  values: FlowValue[];
  tools: string[];
  effects: ToolEffect[];
  max_calls: number | string;
  needs_approval: boolean;
}

export const EMPTY_FLOW_RULE: FlowRuleValues = {
  isLimit: false,
  from: [],
  from_tools: [],
  values: [],
  tools: [],
  effects: [],
  max_calls: 5,
  needs_approval: false,
};

export function flowRuleValuesOf(rule: FlowRule): FlowRuleValues {
  return {
    ...EMPTY_FLOW_RULE,
    ...rule,
    isLimit: rule.max_calls !== undefined,
    max_calls: rule.max_calls ?? EMPTY_FLOW_RULE.max_calls,
  };
}

/** Converts a rule to the API's form, without empty fields. If the number is missing, the API's error names it. */
export function flowRuleOf(values: FlowRuleValues): FlowRule {
  const { isLimit, from, from_tools, values: kinds, tools, effects, max_calls, needs_approval } = values;
  return {
    ...(!isLimit && from.length > 0 && { from }),
    ...(!isLimit && from_tools.length > 0 && { from_tools }),
    ...(!isLimit && kinds.length > 0 && { values: kinds }),
    ...(tools.length > 0 && { tools }),
    ...(effects.length > 0 && { effects }),
    ...(isLimit && { max_calls: typeof max_calls === 'number' ? max_calls : Number.NaN }),
    ...(needs_approval && { needs_approval }),
  };
}
