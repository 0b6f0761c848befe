import Type, { type Static } from 'typebox';
import { choice, nullable, shape, timestamp } from './fields.ts';

/** Requests that wait for a person's decision. */
export const REQUEST_KINDS = ['exception', 'tool_request', 'tool_review', 'false_positive'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];
/** The states of all kinds; each has some of them. */
export const REQUEST_STATUSES = [
  'pending',
  'approved',
  'denied',
  'cancelled',
  'expired',
  'used',
  'recorded',
] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const EXCEPTION_STATUSES = ['pending', 'approved', 'denied', 'cancelled', 'expired'] as const;
export type ExceptionStatus = (typeof EXCEPTION_STATUSES)[number];
export const exceptionStatusEnum = choice('ExceptionStatus', EXCEPTION_STATUSES);
export const TOOL_REQUEST_STATUSES = ['pending', 'approved', 'denied', 'cancelled'] as const;
export type ToolRequestStatus = (typeof TOOL_REQUEST_STATUSES)[number];
export const toolRequestStatusEnum = choice('ToolRequestStatus', TOOL_REQUEST_STATUSES);

export const MAX_EXCEPTION_MINUTES = 1_440;
export const DEFAULT_EXCEPTION_MINUTES = 60;
/** A request that is not decided within this time expires. */
export const PENDING_DAYS = 7;

const justification = Type.Optional(Type.String({ maxLength: 2_000, description: 'Shown to the approver.' }));

const eventId = Type.Optional(
  Type.String({
    maxLength: 128,
    description: 'The event that caused the request; the approver is shown what was blocked.',
  }),
);

export const createExceptionSchema = shape(
  'CreateExceptionRequest',
  {
    destination_host: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Host that the exception is for.',
    }),
    policy_id: Type.Optional(Type.String({ maxLength: 64, description: 'Only decisions of this policy.' })),
    threat: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'Only this threat type. Default: that of the event, or any attack if several were found; without an event, findings of attacks, but no personal data, secrets or own patterns.',
      }),
    ),
    all_findings: Type.Optional(
      Type.Boolean({
        description: 'Without `threat`: all findings, also personal data, secrets and own patterns.',
      }),
    ),
    reason_category: Type.Optional(
      Type.String({ maxLength: 64, description: 'Your own category, for reports.' }),
    ),
    justification,
    requested_minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_EXCEPTION_MINUTES,
        default: DEFAULT_EXCEPTION_MINUTES,
        description: 'Duration of the exception after its approval, in minutes.',
      }),
    ),
    event_id: eventId,
  },
  {
    examples: [
      { destination_host: 'chatgpt.com', threat: 'pii_leak', justification: 'Made-up names in a test file.' },
    ],
  },
);
export type CreateException = Static<typeof createExceptionSchema>;

/** The fields of both kinds of record. */
export const requestDecisionSchema = shape('RequestDecision', {
  device_id: nullable(Type.String(), {
    description: 'The device that the request is for; null: the project or the organization.',
  }),
  requested_by: Type.String({ description: 'Id of the requesting person, device or key.' }),
  decided_by: nullable(
    Type.String({ description: 'Id of the actor that approved, denied or cancelled it.' }),
  ),
  decided_at: nullable(timestamp, { description: 'When it was approved, denied or cancelled.' }),
  decision_reason: nullable(Type.String(), { description: 'What the approver wrote.' }),
  created_at: timestamp,
  pending_until: Type.Optional(
    nullable(timestamp, {
      description: 'When the pending request expires; null: it is not pending.',
    }),
  ),
});

export const exceptionSchema = shape('Exception', {
  id: Type.String(),
  status: exceptionStatusEnum,
  destination_host: Type.String({ description: 'Host that the exception is for.' }),
  policy_id: nullable(Type.String(), {
    description: 'Only decisions of this policy; null: any.',
  }),
  threat: nullable(Type.String(), {
    description: 'Only this threat type; null: findings of attacks, or all if `all_findings` is true.',
  }),
  all_findings: Type.Optional(
    Type.Boolean({ description: 'All findings, also personal data, secrets and own patterns.' }),
  ),
  reason_category: nullable(Type.String(), { description: 'Your own category, for reports.' }),
  justification: nullable(Type.String(), { description: 'Reason for the request.' }),
  requested_minutes: Type.Integer({
    description: 'Duration of the exception after its approval, in minutes.',
  }),
  ...requestDecisionSchema.properties,
  starts_at: nullable(timestamp, { description: 'When it was approved; null: not yet.' }),
  expires_at: nullable(timestamp, { description: 'When the exception ends.' }),
});
export type ExceptionRecord = Static<typeof exceptionSchema>;

export const createToolRequestSchema = shape(
  'CreateToolRequest',
  {
    requested_host: Type.String({ minLength: 1, maxLength: 255, description: 'Host of the AI tool.' }),
    requested_name: Type.Optional(
      Type.String({ maxLength: 255, description: 'Name of the AI tool, for the approver.' }),
    ),
    justification,
    event_id: eventId,
  },
  { examples: [{ requested_host: 'grok.com', requested_name: 'Grok' }] },
);
export type CreateToolRequest = Static<typeof createToolRequestSchema>;

export const toolRequestSchema = shape('ToolRequest', {
  id: Type.String(),
  status: toolRequestStatusEnum,
  requested_host: Type.String({ description: 'Host of the AI tool.' }),
  requested_name: nullable(Type.String(), { description: 'Name of the AI tool, for the approver.' }),
  justification: nullable(Type.String(), { description: 'Reason for the request.' }),
  ...requestDecisionSchema.properties,
});
export type ToolRequestRecord = Static<typeof toolRequestSchema>;
