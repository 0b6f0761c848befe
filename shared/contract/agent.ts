import Type, { type Static } from 'typebox';
import { nullable, shape, timestamp, timestampOf } from './fields.ts';

/** Blocked unless a project allows them. */
export const DEFAULT_BLOCKED_TOOLS: readonly string[] = [
  'execute_shell',
  'run_command',
  'bash',
  'system',
  'delete_file',
  'rm',
  'rmdir',
  'kill_process',
  'terminate',
  'send_email',
  'http_post',
];

export const RISK_LEVELS = ['safe', 'low', 'medium', 'high', 'critical'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

const toolNameSchema = Type.String({ minLength: 1, maxLength: 255 });
const toolListSchema = (description: string) => Type.Array(toolNameSchema, { maxItems: 500, description });

const RULE = 'An entry matches the full name, or the part after its last ".", ":" or "__".';

export const toolListsSchema = shape('ToolLists', {
  blocked_tools: toolListSchema(`Always refused. ${RULE}`),
  allowed_tools: toolListSchema(
    `Where there is any entry, every other tool is refused. An entry also lifts a default block. ${RULE}`,
  ),
  review_required_tools: toolListSchema(`Wait until a person has decided. ${RULE}`),
});
export type ToolLists = Static<typeof toolListsSchema>;

export const validateToolSchema = shape(
  'ValidateToolRequest',
  {
    agent_id: Type.String({ minLength: 1, maxLength: 255, description: 'Your name for the agent.' }),
    tool_name: toolNameSchema,
    arguments: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'What the tool would be called with; every text in it is scanned. `{}` if it takes none.',
      },
    ),
    session_id: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 255 }), {
        description:
          'The same as in guard (context.session_id) and scrape: what the session has read before counts.',
      }),
    ),
    blocked_tools: Type.Optional(toolListSchema("Added to the project's.")),
    allowed_tools: Type.Optional(toolListSchema("Narrows the project's; an empty list says nothing.")),
    review_required_tools: Type.Optional(toolListSchema("Added to the project's.")),
  },
  {
    examples: [
      {
        agent_id: 'support-agent',
        session_id: 'chat-81',
        tool_name: 'files.read',
        arguments: { path: 'manuals/returns.md' },
      },
    ],
  },
);
export type ValidateTool = Static<typeof validateToolSchema>;

export const hookRequestSchema = shape(
  'HookRequest',
  {
    hook_event_name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The agent's name of the event.",
    }),
  },
  {
    additionalProperties: true,
    examples: [
      { hook_event_name: 'PreToolUse', session_id: 's-1', tool_name: 'Bash', tool_input: { command: 'ls' } },
    ],
  },
);
export const hookReplySchema = shape('HookReply', {}, { additionalProperties: true });

export const toolValidationSchema = shape('ToolValidation', {
  allowed: Type.Boolean({ description: 'A refusal is a 200 with false.' }),
  risk_score: Type.Number({ minimum: 0, maximum: 1, description: 'From 0, harmless, to 1.' }),
  risk_level: Type.Enum([...RISK_LEVELS], { description: 'From 0, 0.2, 0.4, 0.6 and 0.8.' }),
  reason: Type.String({ description: 'One sentence about the decision.' }),
  warnings: Type.Array(Type.String(), { description: 'What raised the risk without refusing the call.' }),
  blocked_reasons: Type.Array(Type.String(), { description: 'Why the call is not allowed; empty if it is.' }),
  review_required: Type.Boolean({
    description: 'True while a person has to decide; `allowed` is false then.',
  }),
  review_id: nullable(Type.String(), {
    description:
      'GET /agent/reviews/{review_id} tells its state. Once approved, the same call is allowed once.',
  }),
  event_id: Type.String({ description: 'Identifies this decision; find it in the dashboard.' }),
});
export type ToolValidation = Static<typeof toolValidationSchema>;

export const agentStatsSchema = shape('AgentStats', {
  agent_id: Type.String({ description: 'Your name for the agent.' }),
  total_tool_calls: Type.Integer({ minimum: 0, description: 'Validated calls of the last 90 days.' }),
  blocked_calls: Type.Integer({ minimum: 0, description: 'Calls that were not allowed.' }),
  avg_risk_score: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Mean risk score of these calls; 0 if there are none.',
  }),
  anomalies_detected: Type.Integer({ minimum: 0, description: 'Calls that were unusual for the agent.' }),
  active_sessions: Type.Integer({
    minimum: 0,
    description: 'Always 0: sessions have no end to tell them by.',
  }),
});
export type AgentStats = Static<typeof agentStatsSchema>;

export const TOOL_REVIEW_STATUSES = ['pending', 'approved', 'denied', 'used', 'expired'] as const;
export type ToolReviewStatus = (typeof TOOL_REVIEW_STATUSES)[number];

export const toolReviewSchema = shape('ToolReview', {
  id: Type.String(),
  status: Type.Enum([...TOOL_REVIEW_STATUSES]),
  agent_id: Type.String({ description: 'Your name for the agent.' }),
  session_id: nullable(Type.String(), { description: 'The session of the agent; null: none was named.' }),
  tool_name: Type.String({ description: 'Name of the tool, as the agent calls it.' }),
  reason: Type.String({ description: 'Why a person has to decide.' }),
  requested_by: Type.String({ description: 'Id of the API key that asked.' }),
  decided_by: nullable(Type.String(), { description: 'Who decided; null: pending.' }),
  decided_at: nullable(timestamp, { description: 'When it was approved, denied or cancelled.' }),
  decision_reason: nullable(Type.String(), { description: 'What the approver wrote.' }),
  created_at: timestamp,
  expires_at: timestampOf('When a decision, or its use, is too late.'),
});
export type ToolReviewRecord = Static<typeof toolReviewSchema>;
