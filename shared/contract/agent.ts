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
  blocked_tools: toolListSchema(`Always rejected. ${RULE}`),
  allowed_tools: toolListSchema(
    `If the list is not empty, every other tool is rejected. An entry also lifts a default block. ${RULE}`,
  ),
  review_required_tools: toolListSchema(`Tools that require approval by a person. ${RULE}`),
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
        description: 'Arguments of the tool call; every text in them is scanned. `{}` if there are none.',
      },
    ),
    session_id: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 255 }), {
        description:
          'The same id as in guard (context.session_id) and scrape. What the session has read affects the result.',
      }),
    ),
    blocked_tools: Type.Optional(toolListSchema("Added to the project's list.")),
    allowed_tools: Type.Optional(
      toolListSchema("Restricts the project's list; an empty list has no effect."),
    ),
    review_required_tools: Type.Optional(toolListSchema("Added to the project's list.")),
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
      description: 'Name of the event, as the agent calls it.',
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
  allowed: Type.Boolean({ description: 'A rejected call is a 200 with false.' }),
  risk_score: Type.Number({ minimum: 0, maximum: 1, description: 'From 0 (harmless) to 1.' }),
  risk_level: Type.Enum([...RISK_LEVELS], {
    description: 'Level of `risk_score`; the levels begin at 0, 0.2, 0.4, 0.6 and 0.8.',
  }),
  reason: Type.String({ description: 'One sentence about the decision.' }),
  warnings: Type.Array(Type.String(), {
    description: 'Reasons that raised the risk without rejecting the call.',
  }),
  blocked_reasons: Type.Array(Type.String(), { description: 'Why the call is not allowed; empty if it is.' }),
  review_required: Type.Boolean({
    description: 'True while a person must decide; until then, `allowed` is false.',
  }),
  review_id: nullable(Type.String(), {
    description:
      'GET /agent/reviews/{review_id} returns the state of the review. Once approved, the same call is allowed once.',
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
    description: 'Always 0, because the end of a session is not known.',
  }),
});
export type AgentStats = Static<typeof agentStatsSchema>;

export const TOOL_REVIEW_STATUSES = ['pending', 'approved', 'denied', 'used', 'expired'] as const;
export type ToolReviewStatus = (typeof TOOL_REVIEW_STATUSES)[number];

export const toolReviewSchema = shape('ToolReview', {
  id: Type.String(),
  status: Type.Enum([...TOOL_REVIEW_STATUSES]),
  agent_id: Type.String({ description: 'Your name for the agent.' }),
  session_id: nullable(Type.String(), {
    description: 'The session of the agent; null: the call named none.',
  }),
  tool_name: Type.String({ description: 'Name of the tool, as the agent calls it.' }),
  reason: Type.String({ description: 'Why a person must decide.' }),
  requested_by: Type.String({ description: 'Id of the requesting API key.' }),
  decided_by: nullable(Type.String(), { description: 'Who decided; null: pending.' }),
  decided_at: nullable(timestamp, { description: 'When it was approved, denied or cancelled.' }),
  decision_reason: nullable(Type.String(), { description: 'What the approver wrote.' }),
  created_at: timestamp,
  expires_at: timestampOf('When the review, or its unused approval, expires.'),
});
export type ToolReviewRecord = Static<typeof toolReviewSchema>;
