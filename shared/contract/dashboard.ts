import Type, { type Static } from 'typebox';
import { toolReviewSchema } from './agent.ts';
import {
  exceptionSchema,
  MAX_EXCEPTION_MINUTES,
  REQUEST_KINDS,
  REQUEST_STATUSES,
  requestDecisionSchema,
  toolRequestSchema,
} from './approvals.ts';
import { count, nullable, nullableText, shape, timestamp } from './fields.ts';
import { projectSchema } from './projects.ts';
import { securityTestSummarySchema } from './security-testing.ts';
import { decisionSchema, threatTypeSchema } from './verdict.ts';

/** Shapes for what admins decide and set up: requests, projects, stored runs of the security tests. */

export const pendingCountsSchema = shape('PendingCounts', {
  waiting: count(),
  exceptions: count(),
  tool_requests: count(),
  tool_reviews: count(),
  texts: count('Reported texts that an approver must allow or deny.'),
  by_kind: Type.Optional(Type.Record(Type.String(), count())),
});
export type PendingCounts = Static<typeof pendingCountsSchema>;

/** Names for ids, for display. */
export const participantsSchema = shape('RequestParticipants', {
  requester: Type.String({ description: 'Name of the requesting person, device or key.' }),
  decider: nullableText,
  is_own: Type.Boolean({ description: 'True: you made this request, so you cannot decide it.' }),
});
const { properties: participants } = participantsSchema;
/** The context of a request, shown to its approver. */
export const requestContextSchema = shape('RequestContext', {
  person: nullable(Type.String(), { description: 'Name of the person behind the request; null: unknown.' }),
  device: nullable(Type.String(), {
    description: 'Name of the device; null: the request was not made on a device.',
  }),
  project: nullable(Type.String(), { description: 'Name of the project; null: the whole organization.' }),
  project_id: nullableText,
  event: nullable(
    shape('RequestedFor', {
      id: Type.String(),
      at: timestamp,
      decision: decisionSchema,
      threat_type: threatTypeSchema,
      route: Type.String(),
      model: nullableText,
    }),
    {
      description:
        'The event that caused the request: the one it names, else the last block on the device in the hour before; null: unknown.',
    },
  ),
});
export type RequestContext = Static<typeof requestContextSchema>;
export const dashboardExceptionSchema = shape('DashboardException', {
  ...exceptionSchema.properties,
  ...participants,
  ...requestContextSchema.properties,
});
export type DashboardException = Static<typeof dashboardExceptionSchema>;
export const dashboardToolRequestSchema = shape('DashboardToolRequest', {
  ...toolRequestSchema.properties,
  ...participants,
  ...requestContextSchema.properties,
});
export type DashboardToolRequest = Static<typeof dashboardToolRequestSchema>;
export const dashboardToolReviewSchema = shape('DashboardToolReview', {
  ...toolReviewSchema.properties,
  arguments: nullable(Type.Object({}, { additionalProperties: true }), {
    description: 'Arguments of the tool call; null: the project stores no content.',
  }),
  requester: participants.requester,
  decider: participants.decider,
  ...requestContextSchema.properties,
});
export type DashboardToolReview = Static<typeof dashboardToolReviewSchema>;

const requestKindEnum = Type.Enum([...REQUEST_KINDS]);
const requestStatusEnum = Type.Enum([...REQUEST_STATUSES], {
  description:
    '`used`: an approved tool call was made; `recorded`: a report of a false positive that asks for nothing, listed only by this status.',
});
export const requestQuerySchema = Type.Object({
  kind: Type.Optional(requestKindEnum),
  status: Type.Optional(requestStatusEnum),
});
export type RequestQuery = Static<typeof requestQuerySchema>;
/** A request of any kind. */
export const dashboardRequestSchema = shape('DashboardRequest', {
  id: Type.String(),
  kind: requestKindEnum,
  status: requestStatusEnum,
  title: Type.String({ description: 'What is requested, in words.' }),
  justification: nullable(Type.String(), { description: 'Reason for the request.' }),
  details: Type.Object(
    {},
    { additionalProperties: true, description: 'The fields that only requests of this kind have.' },
  ),
  ...requestDecisionSchema.properties,
  expires_at: nullable(timestamp, { description: 'When its approval ends; null: it has none, or no end.' }),
  ...participants,
  ...requestContextSchema.properties,
});
export type DashboardRequest = Static<typeof dashboardRequestSchema>;

const reason = Type.Optional(Type.String({ maxLength: 500, description: 'Shown to the requester.' }));
export const decideExceptionSchema = shape(
  'DecideExceptionRequest',
  {
    decision: Type.Enum(['approve', 'deny']),
    reason,
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_EXCEPTION_MINUTES,
        description: 'Duration in minutes, at most the requested one.',
      }),
    ),
    threat: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Only this threat type, one of those that the exception was requested for.',
      }),
    ),
  },
  { examples: [{ decision: 'approve', minutes: 30 }] },
);
export type DecideException = Static<typeof decideExceptionSchema>;
export const decideRequestSchema = shape(
  'DecisionRequest',
  { decision: Type.Enum(['approve', 'deny']), reason },
  { examples: [{ decision: 'deny', reason: 'Use the approved tool instead.' }] },
);
export type DecideRequest = Static<typeof decideRequestSchema>;

const MAX_DECIDED_TOGETHER = 100;
const requestReference = {
  kind: Type.Enum([...REQUEST_KINDS, 'text'], {
    description: '`text`: earlier name of `false_positive`.',
  }),
  id: Type.String({ maxLength: 64 }),
};
export const decideManySchema = shape(
  'DecideRequestsRequest',
  {
    decision: decideRequestSchema.properties.decision,
    reason,
    requests: Type.Array(Type.Object(requestReference), { minItems: 1, maxItems: MAX_DECIDED_TOGETHER }),
  },
  { examples: [{ decision: 'approve', requests: [{ kind: 'exception', id: 'exc_1' }] }] },
);
export type DecideMany = Static<typeof decideManySchema>;
export const manyDecidedSchema = shape('DecidedRequests', {
  decided: Type.Array(Type.Object(requestReference)),
  failed: Type.Array(Type.Object({ ...requestReference, code: Type.String(), message: Type.String() })),
});
export type ManyDecided = Static<typeof manyDecidedSchema>;

export const dashboardProjectSchema = shape('DashboardProject', {
  ...projectSchema.properties,
  providers: Type.Array(Type.String(), { description: 'Providers whose credential is stored here.' }),
  credentials: Type.Array(
    shape('StoredCredential', {
      provider: Type.String(),
      name: Type.String({ description: '`default`: it was stored without a name.' }),
      models: Type.Array(Type.String()),
    }),
  ),
  keys: count(),
});
export type DashboardProject = Static<typeof dashboardProjectSchema>;

export const providerListSchema = Type.Array(
  shape('ModelProvider', { name: Type.String(), label: Type.String() }),
);
/** The name of a provider's credential that is stored without one. */
export const DEFAULT_CREDENTIAL = 'default';
/** As sent in the header `X-Service-Credential`. */
export const CREDENTIAL_NAME = /^[\x21-\x7e]([\x20-\x7e]{0,62}[\x21-\x7e])?$/;
export const credentialNameSchema = Type.String({
  pattern: CREDENTIAL_NAME.source,
  description: '1 to 64 printable ASCII characters, without leading or trailing spaces. Default: `default`.',
});
export const MAX_CREDENTIALS_PER_PROVIDER = 50;
export const setCredentialSchema = shape('SetCredentialRequest', {
  secret: Type.String({
    minLength: 8,
    maxLength: 4_096,
    description: 'Stored encrypted; never shown again.',
  }),
  name: Type.Optional(credentialNameSchema),
  models: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 100,
      description: 'Models that use this credential; all others use the default credential.',
    }),
  ),
});
export type SetCredential = Static<typeof setCredentialSchema>;

const runSummary = {
  id: Type.String(),
  target_preset: Type.String(),
  started_by: Type.String({ description: 'Name of the person.' }),
  started_at: timestamp,
  duration_ms: count(),
  total_tests: count(),
  blocked: count(),
  redacted: count(),
  missed: count(),
  errored: count(),
  false_alarms: count(),
  harmless_tests: count(),
};
export const testRunListSchema = Type.Array(shape('SecurityTestRunSummary', runSummary));
export type TestRunSummary = Static<typeof testRunListSchema>[number];
export const testRunSchema = shape('SecurityTestRun', {
  ...runSummary,
  categories: securityTestSummarySchema.properties.categories,
  tests: Type.Array(
    Type.Object({
      name: Type.String(),
      category: Type.String(),
      description: Type.String(),
      outcome: Type.String(),
      threat_type: nullableText,
      confidence: Type.Number(),
    }),
  ),
});
export type TestRun = Static<typeof testRunSchema>;
