import Type, { type Static } from 'typebox';
import { count, nullable, nullableText, shape, timestamp, title } from './fields.ts';
import {
  confidenceSchema,
  DECIDED_BY_KINDS,
  DECISIONS,
  decisionSchema,
  directionEnum,
  threatEnum,
  threatTypeSchema,
} from './verdict.ts';

/** Shapes for decisions on the dashboard: numbers over time, events, feedback on them. */

export const OVERVIEW_SPANS = ['24h', '7d', '30d'] as const;
export type OverviewSpan = (typeof OVERVIEW_SPANS)[number];

const decisionCounts = { allow: count(), redact: count(), block: count() };

export const overviewSchema = shape('Overview', {
  span: Type.Enum([...OVERVIEW_SPANS]),
  from: timestamp,
  to: timestamp,
  bucket_s: count('Seconds that one entry of `buckets` covers.'),
  buckets: Type.Array(Type.Object({ at: timestamp, ...decisionCounts })),
  totals: Type.Object({
    requests: count('All decisions; a prompt and its response are separate decisions.'),
    ...decisionCounts,
    detected: count('Allowed decisions with findings that the policy permits.'),
    failed: count('Decisions by the fail mode of the project, because the scan could not run.'),
  }),
  threats: Type.Array(Type.Object({ type: threatEnum, ...decisionCounts, total: count() }), {
    description: 'Most frequent first.',
  }),
  latency: nullable(
    Type.Object({
      p50_ms: Type.Number(),
      p95_ms: Type.Number(),
      p99_ms: Type.Number(),
      sample: count('Number of newest scans measured.'),
    }),
  ),
  devices: Type.Record(Type.String(), count(), { description: 'Number of devices in each state.' }),
  waiting: Type.Object({
    exceptions: count(),
    tool_requests: count(),
    tool_reviews: count(),
    texts: count(),
  }),
  first_steps: Type.Object(
    {
      has_key_in_use: Type.Boolean(),
      has_device: Type.Boolean(),
      has_decision: Type.Boolean(),
      has_colleague: Type.Boolean(),
      has_preset: Type.Boolean({
        description: 'True if a project uses a preset other than the initial one.',
      }),
    },
    { description: 'What a new organization has done so far.' },
  ),
});
export type Overview = Static<typeof overviewSchema>;

export const decidedBySchema = shape('DecidedBy', {
  kind: Type.Enum([...DECIDED_BY_KINDS]),
  id: nullable(Type.String(), {
    description:
      'Id of the policy or exception; for a setting, the field of the project; null: recorded by an older version.',
  }),
  name: Type.String({ description: 'Name; for a preset, its use case and strictness.' }),
});

export const eventSummarySchema = shape('EventSummary', {
  id: Type.String(),
  at: timestamp,
  direction: directionEnum,
  route: Type.String({ description: 'Route, such as guard or chat/completions.' }),
  model: nullable(Type.String(), { description: 'null: the request names no model.' }),
  decision: decisionSchema,
  threat_type: threatTypeSchema,
  confidence: confidenceSchema,
  project_id: nullableText,
  key_id: nullable(Type.String(), { description: 'The API key that was used.' }),
  device_id: nullable(Type.String(), { description: 'The device that sent it.' }),
  failed: Type.Boolean({ description: 'True if the scan could not run.' }),
  decided_by: decidedBySchema,
  session: nullable(Type.String(), {
    description:
      'The run that the request belongs to: `X-Service-Session`, the `session_id` of its body, or `run_…` for a recognized conversation.',
  }),
  tags: Type.Array(Type.String(), { description: 'Labels of `X-Service-Tags`, as `name=value`.' }),
});

export const eventQuerySchema = Type.Object({
  decision: Type.Optional(Type.Enum([...DECISIONS])),
  threat_type: Type.Optional(threatEnum),
  direction: Type.Optional(directionEnum),
  project_id: Type.Optional(Type.String({ maxLength: 64 })),
  key_id: Type.Optional(Type.String({ maxLength: 64 })),
  device_id: Type.Optional(Type.String({ maxLength: 64 })),
  model: Type.Optional(Type.String({ maxLength: 256 })),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Searches event ids, request ids, beginnings of rule ids, and names of keys, projects, devices and people.',
    }),
  ),
  format: Type.Optional(
    Type.Enum(['csv', 'jsonl'], {
      description: 'All events that match the filter, newest first unless sorted, as a file.',
    }),
  ),
  policy_id: Type.Optional(Type.String({ maxLength: 64, description: 'Id of the policy that decided.' })),
  user_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Id of the person whose API keys and devices sent the requests.',
    }),
  ),
  rule: Type.Optional(Type.String({ maxLength: 255, description: 'Id of a rule that matched.' })),
  session: Type.Optional(Type.String({ maxLength: 256, description: 'Id of the session.' })),
  tag: Type.Optional(Type.String({ maxLength: 256, description: 'A label, as `name=value`.' })),
  from: Type.Optional(timestamp),
  to: Type.Optional(timestamp),
  sort: Type.Optional(
    Type.Enum(['time', 'confidence'], {
      description: 'Default: time. confidence lists only events with a threat; others have no confidence.',
    }),
  ),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Default: desc.' })),
  before: Type.Optional(
    Type.String({
      maxLength: 192,
      description: '`next` of the previous page, with the same sort and order.',
    }),
  ),
});
export type EventQuery = Static<typeof eventQuerySchema>;

export const eventListSchema = shape('EventList', {
  events: Type.Array(eventSummarySchema),
  next: nullable(
    Type.String({ description: 'Value of `before` for the next page; null: this is the last page.' }),
  ),
});
export type EventList = Static<typeof eventListSchema>;
export type EventSummary = EventList['events'][number];

export const sessionDecisionsQuerySchema = Type.Object({
  project_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Default: all projects, whose clients may choose the same ids.',
    }),
  ),
  after: Type.Optional(Type.String({ maxLength: 192, description: '`next` of the previous page.' })),
});
export type SessionDecisionsQuery = Static<typeof sessionDecisionsQuerySchema>;

export const sessionDecisionsSchema = shape('SessionDecisions', {
  id: Type.String(),
  decisions: Type.Array(eventSummarySchema, { description: 'In the order in which they were made.' }),
  next: nullable(
    Type.String({ description: 'Value of `after` for the next page; null: this is the last page.' }),
  ),
});

export const saveFilterSchema = shape(
  'SaveFilterRequest',
  {
    name: title(80),
    query: Type.Union(
      [
        Type.String({ maxLength: 2_000 }),
        Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 500 }), { maxProperties: 20 }),
      ],
      {
        $id: 'FilterQuery',
        description: 'Parameters of GET /dashboard/events, as a query string or an object.',
      },
    ),
  },
  { examples: [{ name: 'Blocked this week', query: { decision: 'block' } }] },
);
export type SaveFilter = Static<typeof saveFilterSchema>;

export const savedFilterSchema = shape('SavedFilter', {
  id: Type.String(),
  name: Type.String(),
  query: saveFilterSchema.properties.query,
  created_at: timestamp,
});
export type SavedFilterRecord = Static<typeof savedFilterSchema>;

export const FEEDBACK_STATUSES = ['recorded', 'pending', 'approved', 'denied'] as const;
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number];

const feedbackFields = {
  id: Type.String(),
  allow_text: Type.Boolean({
    description: 'True if the texts that decided the event are to be allowed from then on.',
  }),
  status: Type.Enum([...FEEDBACK_STATUSES], {
    description: '`recorded`: nothing changes; `pending`: an approver must decide about the texts.',
  }),
};

export const createFeedbackSchema = shape(
  'CreateFeedback',
  {
    verdict: Type.Enum(['false_positive']),
    reason: Type.Optional(Type.String({ maxLength: 500, description: 'Reason for the report.' })),
    allow_text: Type.Optional(
      Type.Boolean({
        description:
          'Allow exactly these texts in this project from now on, once an approver agrees. Personal data and secrets in them are still replaced.',
      }),
    ),
  },
  { examples: [{ verdict: 'false_positive', reason: 'Our own support template.', allow_text: true }] },
);
export type CreateFeedback = Static<typeof createFeedbackSchema>;

export const feedbackSchema = shape('Feedback', {
  event_id: Type.String(),
  verdict: Type.Enum(['false_positive']),
  ...feedbackFields,
});
export type Feedback = Static<typeof feedbackSchema>;

export const reportEffectSchema = shape('ReportEffect', {
  hours: Type.Integer({ description: 'Length of the evaluated period, which ends now, in hours.' }),
  considered: Type.Integer({ description: 'Events with findings that were evaluated again.' }),
  estimated: Type.Boolean({ description: 'True if the counts are estimated from a sample of the events.' }),
  same_text: nullable(Type.Integer(), {
    description:
      'Decisions that would change if exactly these texts were allowed; null: they cannot be allowed.',
  }),
  rules: Type.Array(
    Type.Object({
      rule: Type.String(),
      events: Type.Integer({ description: 'Decisions that would change without this rule.' }),
    }),
    { description: 'At most five rules of the event.' },
  ),
});
export type ReportEffect = Static<typeof reportEffectSchema>;

export const allowedTextSchema = shape('AllowedText', {
  id: Type.String(),
  project_id: nullableText,
  project_name: nullableText,
  role: Type.Enum(['user', 'untrusted', 'developer', 'model'], {
    description: 'Author of the text. The text is allowed only from this author.',
  }),
  threat_types: Type.Array(threatEnum, { description: 'Threat types that are ignored in this text.' }),
  event_id: Type.String({ description: 'The event in which the text was reported.' }),
  approved_by: Type.String({ description: 'Id of the person.' }),
  approved_by_name: nullableText,
  created_at: timestamp,
});
export type AllowedTextRecord = Static<typeof allowedTextSchema>;

export const eventFeedbackSchema = shape('EventFeedback', {
  ...feedbackFields,
  note: nullable(Type.String(), { description: 'What the person wrote.' }),
  marked_by: Type.String({ description: 'Id of the person.' }),
  marked_by_name: nullableText,
  marked_at: timestamp,
  decided_by_name: nullableText,
  decided_at: nullable(timestamp),
  decision_reason: nullableText,
});

export const eventDetailSchema = shape('EventDetail', {
  ...eventSummarySchema.properties,
  request_id: nullable(Type.String(), { description: 'Value of the X-Request-ID header.' }),
  latency_ms: Type.Number({ description: 'Time spent in this service.' }),
  project_name: nullableText,
  key_name: nullableText,
  device_name: nullableText,
  findings: Type.Array(
    Type.Object({
      rule: Type.String(),
      type: threatEnum,
      path: Type.String({ description: 'JSON pointer to the text with the finding.' }),
      role: Type.String(),
      start: count('UTF-16 offset into that text.'),
      end: count(),
      confidence: confidenceSchema,
      withheld: Type.Boolean({ description: 'True if the passage with the finding was withheld.' }),
      report_only: Type.Boolean({ description: 'True if the preset only reports it.' }),
      tool: Type.Optional(Type.String({ description: 'For a tool call: name of the called tool.' })),
    }),
    { description: 'Where and why a rule matched; the matched text is not stored.' },
  ),
  unscanned: Type.Array(
    Type.Object({ at: Type.Union([Type.Integer(), Type.String()]), reason: Type.String() }),
  ),
  judged_by: nullable(
    Type.Enum(['device'], { description: '`device`: the engine on the device evaluated the texts.' }),
  ),
  failure: nullable(Type.Object({ reason: Type.String(), fail_mode: Type.Enum(['open', 'closed']) })),
  can_allow_text: Type.Boolean({
    description: 'True if an attack in a text decided the event and a digest of that text is stored.',
  }),
  withheld_texts: Type.Array(
    Type.Object({
      path: Type.String({ description: 'JSON pointer to the text in this request.' }),
      requests: count(
        'Requests in which a passage of this text was withheld; each turn of a conversation sends the text again.',
      ),
    }),
    {
      description:
        'Texts of this request with withheld passages, counted over the newest 1,000 redacted requests of the project.',
    },
  ),
  mark: nullable(eventFeedbackSchema),
});
export type EventDetail = Static<typeof eventDetailSchema>;

export const eventFeedbackRequestSchema = shape(
  'EventFeedbackRequest',
  {
    note: Type.Optional(Type.String({ maxLength: 500, description: 'Reason for the report.' })),
    allow_text: createFeedbackSchema.properties.allow_text,
  },
  { examples: [{ note: 'Our own support template.' }] },
);
export type EventFeedbackRequest = Static<typeof eventFeedbackRequestSchema>;

export const falsePositivesSchema = shape('FalsePositives', {
  marks: Type.Array(
    Type.Object({
      event: eventSummarySchema,
      rules: Type.Array(Type.String(), { description: 'Rules that matched, strongest first.' }),
      mark: eventFeedbackSchema,
    }),
  ),
  rules: Type.Array(Type.Object({ rule: Type.String(), type: threatEnum, count: count() }), {
    description: 'Rules reported as false positives, most reports first.',
  }),
});
export type FalsePositives = Static<typeof falsePositivesSchema>;
