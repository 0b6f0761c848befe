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
    from: someOf('DataSource', DATA_SOURCES, 'Kinds of untrusted data that the values come from.'),
    from_tools: toolNames('Tools that returned the untrusted data that the values come from.'),
    values: someOf('FlowValue', FLOW_VALUES, 'Kinds of values.'),
    tools: toolNames('Called tools; entries match as in the tool lists.'),
    effects: someOf('ToolEffect', TOOL_EFFECTS, 'Effects of the called tools.'),
    max_calls: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description:
          'Maximum number of calls in a conversation, instead of conditions on sources and values.',
      }),
    ),
    needs_approval: Type.Optional(
      Type.Boolean({ description: 'Default false: the call is blocked. True: a person may approve it.' }),
    ),
  },
  {
    description:
      'A rule against tool calls in responses, by the conversation values that they use or by their number.',
  },
);
export type FlowRule = Static<typeof flowRuleSchema>;

/** Findings of flow control in the last days, for the decision about `flow_control`. */
export const heldCallsSchema = shape('HeldCalls', {
  days: Type.Integer(),
  calls: count('Tool calls that were held, or would have been held with `review` or `block`.'),
  estimated: Type.Boolean({ description: 'True if counted from a sample of the events.' }),
  tools: Type.Array(
    Type.Object({
      tool: nullableText,
      calls: count(),
      kinds: Type.Array(Type.String(), { description: 'Kinds of values, such as `email`.' }),
    }),
    {
      description:
        'Most calls first. `tool` is null if its name is not a plain word or the event is an older one.',
    },
  ),
});
export type HeldCalls = Static<typeof heldCallsSchema>;
