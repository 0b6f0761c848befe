import Type, { type Static } from 'typebox';
import { choice, count, nullableText, shape } from './fields.ts';

/** Effects of a tool on others. */
export const TOOL_EFFECTS = ['send', 'publish', 'pay', 'share', 'execute', 'delete'] as const;
export type ToolEffect = (typeof TOOL_EFFECTS)[number];

/** Kinds of untrusted data, by the tool that returned it; `document`: also passages marked as documents. */
export const DATA_SOURCES = [
  'web_page',
  'email',
  'message',
  'document',
  'ticket',
  'file',
  'command_output',
  'record',
  'other',
] as const;
export type DataSource = (typeof DATA_SOURCES)[number];

/** Kinds of values in the arguments of tool calls. `text`: copied words and fields. */
export const FLOW_VALUES = ['recipient', 'address', 'path', 'command', 'amount', 'text'] as const;
export type FlowValue = (typeof FLOW_VALUES)[number];

export const MAX_FLOW_RULES = 20;

const toolNames = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      maxItems: 50,
      description,
      uniqueItems: true,
    }),
  );
const someOf = <const T extends string[]>(name: string, values: readonly [...T], description: string) =>
  Type.Optional(Type.Array(choice(name, values), { maxItems: values.length, description }));

/** An absent or empty list means any. */
export const flowRuleSchema = shape(
  'PolicyFlowRule',
  {
    from: someOf('DataSource', DATA_SOURCES, 'Untrusted data that values come from, by its kind.'),
    from_tools: toolNames('Untrusted data that values come from, by the tool that returned it.'),
    values: someOf('FlowValue', FLOW_VALUES, 'What the values are.'),
    tools: toolNames('Tools that are called; an entry matches as in the lists of tools.'),
    effects: someOf('ToolEffect', TOOL_EFFECTS, 'What the called tools do.'),
    max_calls: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description: 'Counts calls instead: how many a conversation may contain.',
      }),
    ),
    needs_approval: Type.Optional(
      Type.Boolean({ description: 'Default false: such a call is blocked. True: a person may approve it.' }),
    ),
  },
  { description: 'What tool calls in responses may not do with values of the conversation.' },
);
export type FlowRule = Static<typeof flowRuleSchema>;

/** Findings of flow control in the last days, for the decision about `flow_control`. */
export const heldCallsSchema = shape('HeldCalls', {
  days: Type.Integer(),
  calls: count('Tool calls that were held, or would have been with `review` or `block`.'),
  estimated: Type.Boolean({ description: 'True if counted from a sample of the events.' }),
  tools: Type.Array(
    Type.Object({
      tool: nullableText,
      calls: count(),
      kinds: Type.Array(Type.String(), { description: 'Kinds of values, such as `email`.' }),
    }),
    { description: 'Most calls first; null: a tool whose name is no plain word, or of an older event.' },
  ),
});
export type HeldCalls = Static<typeof heldCallsSchema>;
