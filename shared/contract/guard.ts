import Type, { type Static } from 'typebox';
import { ORIGINS, SLOT_ROLES } from '../text/index.ts';
import { nullable, shape } from './fields.ts';
import { DIRECTIONS, decisionSchema, threatDetailSchema, threatTypeSchema } from './verdict.ts';

const toolCallsSchema = Type.Array(Type.Object({}, { additionalProperties: true }), {
  $id: 'ToolCalls',
  description:
    '`{type: "function", function: {name, arguments}}`, `{type: "tool_use", name, input}` or `{name, args}`.',
});

/**
 * `content` is a string or an OpenAI/Anthropic content-block array; blocks stay opaque here. Members beyond these
 * (`name`, `tool_call_id`, `function_call` and any other) are scanned too. A `system` message of type `tool_definition`
 * contains the description of a tool.
 */
export const guardMessageSchema = shape(
  'GuardMessage',
  {
    role: Type.String({
      maxLength: 64,
      description: 'system, user, assistant or tool; unknown roles are scanned too.',
    }),
    content: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.Object({}, { additionalProperties: true })), Type.Null()], {
        description: 'May be null only in a message that has `tool_calls`.',
      }),
    ),
    tool_calls: Type.Optional(toolCallsSchema),
  },
  { additionalProperties: true },
);
export type GuardMessage = Static<typeof guardMessageSchema>;

/** What agents work with: the next call needs the address that an earlier result had. */
export const WORKING_TYPES = ['email', 'phone', 'ip_address'] as const;
export type WorkingType = (typeof WORKING_TYPES)[number];

/**
 * What a device has read of the body that the messages are from, so that the service judges the texts as it would in
 * that body.
 */
const deviceReadingSchema = shape(
  'DeviceReading',
  {
    messages: Type.Array(
      Type.Object({
        role: Type.String(),
        origin: Type.Enum([...ORIGINS], { description: 'Its author.' }),
        path: Type.String(),
        index: Type.Optional(
          Type.Integer({ description: 'Place in the conversation; absent: outside of it.' }),
        ),
      }),
      { description: 'The messages of the body that have one of the texts, in order.' },
    ),
    texts: Type.Array(
      Type.Object({
        path: Type.String({ description: 'JSON pointer in the body.' }),
        role: Type.Enum([...SLOT_ROLES]),
        message: Type.Optional(Type.Integer({ minimum: 0, description: 'Its message; absent: none.' })),
        is_name: Type.Optional(Type.Boolean({ description: "True for a member's name." })),
        is_number: Type.Optional(Type.Boolean()),
        is_code: Type.Optional(
          Type.Boolean({
            description: "True for the result of a tool for code, and for a user's text beside such tools.",
          }),
        ),
        working: Type.Optional(
          Type.Array(Type.Enum([...WORKING_TYPES]), { description: 'Types that are working data in it.' }),
        ),
        carried: Type.Optional(
          Type.Array(Type.String(), { description: 'Values in it that a call, a result or a user has.' }),
        ),
      }),
      { description: 'One for each of the messages of this request, in their order.' },
    ),
  },
  { description: 'Sent by devices; ignored from others.' },
);
export type DeviceReading = Static<typeof deviceReadingSchema>;

export const guardContextSchema = shape('GuardContext', {
  framework: Type.Optional(Type.String({ description: 'Name of the framework, such as langchain.' })),
  chain_name: Type.Optional(Type.String()),
  agent_id: Type.Optional(Type.String({ description: 'Your name for the agent.' })),
  session_id: Type.Optional(
    Type.String({ description: 'What the session has read affects later validations of its tool calls.' }),
  ),
  tool_calls: Type.Optional(toolCallsSchema),
  metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
  device_reading: Type.Optional(deviceReadingSchema),
});

export const retrievedContextSchema = shape('RetrievedContext', {
  content: Type.String({ description: 'A passage that was retrieved for the model.' }),
  source: Type.Optional(Type.String({ description: 'Source of the passage.' })),
  metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
});

export const guardRequestSchema = shape(
  'GuardRequest',
  {
    messages: Type.Array(guardMessageSchema, { minItems: 1, description: 'In order, oldest first.' }),
    direction: Type.Optional(Type.Enum([...DIRECTIONS], { default: 'input' })),
    model: Type.Optional(
      Type.String({
        description: 'Recorded, and used in policy conditions.',
      }),
    ),
    context: Type.Optional(guardContextSchema),
    destination_host: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Host that the messages are sent to; active exceptions for this host apply.',
      }),
    ),
    retrieved_context: Type.Optional(
      Type.Array(retrievedContextSchema, { description: 'Each entry is scanned as untrusted data.' }),
    ),
    media: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: 'Images, audio and files outside of messages.',
      }),
    ),
  },
  { examples: [{ messages: [{ role: 'user', content: 'Charge my card 4111 1111 1111 1111' }] }] },
);
export type GuardRequest = Static<typeof guardRequestSchema>;

export const UNSCANNED_REASONS = [
  'url_only',
  'stored_with_provider',
  'encrypted',
  'no_text_extracted',
  'too_large',
  'undecodable',
  'unsupported_type',
  'extractor_unavailable',
  'unsupported_block',
  'unsupported_tool_call',
  'engine_unavailable',
] as const;
export type UnscannedReason = (typeof UNSCANNED_REASONS)[number];

export const unscannedSchema = shape('UnscannedPart', {
  index: Type.Integer({ description: 'Index of the message, retrieved_context, media or tool_calls entry.' }),
  reason: Type.Enum([...UNSCANNED_REASONS]),
  detail: Type.String({ description: 'One sentence.' }),
});
export type Unscanned = Static<typeof unscannedSchema>;

export const guardResponseSchema = shape('GuardResponse', {
  decision: decisionSchema,
  event_id: Type.String({ description: 'Identifies this decision; find it in the dashboard.' }),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Confidence of the threat that decided; 0 if none was found.',
  }),
  threat_type: threatTypeSchema,
  threats: Type.Array(threatDetailSchema, { description: 'All threats found.' }),
  redacted_messages: nullable(
    Type.Array(
      Type.Object(
        { role: Type.String(), content: Type.String(), tool_calls: Type.Optional(toolCallsSchema) },
        {
          additionalProperties: true,
          description: 'The message with placeholders. `content` is one string, empty if it was null.',
        },
      ),
    ),
  ),
  redacted_context: Type.Optional(
    Type.Array(retrievedContextSchema, {
      description:
        'If the decision is `redact`: the entries of `retrieved_context`, in the same order, with placeholders.',
    }),
  ),
  unscanned: Type.Array(unscannedSchema, { description: 'Parts that could not be read, and why.' }),
  exception_ids: Type.Optional(
    Type.Array(Type.String(), { description: 'Active exceptions that changed this decision.' }),
  ),
  review_required: Type.Optional(
    Type.Boolean({
      description: 'True while a person must decide on a tool call; until then, `decision` is block.',
    }),
  ),
  review_id: Type.Optional(
    Type.String({
      description:
        'GET /agent/reviews/{review_id} returns the state of the review. Once approved, the call is allowed once.',
    }),
  ),
  latency_ms: Type.Number({ minimum: 0, description: 'Time spent in this service.' }),
});
export type GuardResponse = Static<typeof guardResponseSchema>;
