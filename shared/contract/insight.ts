import Type, { type Static } from 'typebox';
import { count, nullable, nullableText, shape, timestamp } from './fields.ts';
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
    requests: count('Decisions of every kind: one for a prompt, one for its answer.'),
    ...decisionCounts,
    detected: count('Of the allowed: something was found, and the policy lets it pass.'),
    failed: count('The scan could not run, and the project fails open or closed.'),
  }),
  threats: Type.Array(Type.Object({ type: threatEnum, ...decisionCounts, total: count() }), {
    description: 'Most frequent first.',
  }),
  latency: nullable(
    Type.Object({
      p50_ms: Type.Number(),
      p95_ms: Type.Number(),
      p99_ms: Type.Number(),
      sample: count('Of so many newest scans.'),
    }),
  ),
  devices: Type.Record(Type.String(), count(), { description: 'How many are in each state.' }),
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
      has_preset: Type.Boolean({ description: 'A project has another preset than the first one.' }),
    },
    { description: 'What a new organization has done so far.' },
  ),
});
export type Overview = Static<typeof overviewSchema>;

export const decidedBySchema = shape('DecidedBy', {
  kind: Type.Enum([...DECIDED_BY_KINDS]),
  id: nullable(Type.String(), {
    description:
      'Of the policy or exception; the field of the project for a setting; null: recorded by an older version.',
  }),
  name: Type.String({ description: 'Use case and strictness for a preset.' }),
});

export const eventSummarySchema = shape('EventSummary', {
  id: Type.String(),
  at: timestamp,
  direction: directionEnum,
  route: Type.String({ description: 'Such as guard or chat/completions.' }),
  model: nullable(Type.String(), { description: 'null: the request named none.' }),
  decision: decisionSchema,
  threat_type: threatTypeSchema,
  confidence: confidenceSchema,
  project_id: nullableText,
  key_id: nullable(Type.String(), { description: 'The API key that was used.' }),
  device_id: nullable(Type.String(), { description: 'The device that sent it.' }),
  failed: Type.Boolean({ description: 'The scan could not run.' }),
  decided_by: decidedBySchema,
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
        'Finds an event id, a request id, how a rule id begins, and names of keys, projects, devices and people.',
    }),
  ),
  format: Type.Optional(
    Type.Enum(['csv', 'jsonl'], {
      description: 'All events that the filter names, newest first unless sorted, as a file.',
    }),
  ),
  policy_id: Type.Optional(Type.String({ maxLength: 64, description: 'Of the policy that decided.' })),
  user_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'Of the person whose API keys and devices sent them.' }),
  ),
  rule: Type.Optional(Type.String({ maxLength: 255, description: 'Id of a rule that matched.' })),
  from: Type.Optional(timestamp),
  to: Type.Optional(timestamp),
  sort: Type.Optional(
    Type.Enum(['time', 'confidence'], {
      description: 'Default time. confidence lists only events with a threat; the others have none.',
    }),
  ),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Default desc.' })),
  before: Type.Optional(
    Type.String({ maxLength: 192, description: '`next` of the page before, with the same sort and order.' }),
  ),
});
export type EventQuery = Static<typeof eventQuerySchema>;

export const eventListSchema = shape('EventList', {
  events: Type.Array(eventSummarySchema),
  next: nullable(Type.String({ description: 'Sent as `before`; null: there are no further ones.' })),
});
export type EventList = Static<typeof eventListSchema>;
export type EventSummary = EventList['events'][number];

export const saveFilterSchema = shape(
  'SaveFilterRequest',
  {
    name: Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' }),
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
  allow_text: Type.Boolean({ description: 'The texts that decided the event are to pass from then on.' }),
  status: Type.Enum([...FEEDBACK_STATUSES], {
    description: '`recorded`: nothing changes; `pending`: an approver has to decide about the texts.',
  }),
};

export const createFeedbackSchema = shape(
  'CreateFeedback',
  {
    verdict: Type.Enum(['false_positive']),
    reason: Type.Optional(Type.String({ maxLength: 500, description: 'Why it was fine.' })),
    allow_text: Type.Optional(
      Type.Boolean({
        description:
          'Let exactly these texts pass in this project from now on, once an approver agrees. Personal data and secrets in them are still replaced.',
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
  hours: Type.Integer({ description: 'The span, which ends now. Of the project of the event.' }),
  considered: Type.Integer({ description: 'Events with findings that were evaluated again.' }),
  estimated: Type.Boolean({ description: 'True if the counts follow from a sample of the events.' }),
  same_text: nullable(Type.Integer(), {
    description: 'Decisions that would be other ones if exactly these texts had passed; null: they cannot.',
  }),
  rules: Type.Array(
    Type.Object({
      rule: Type.String(),
      events: Type.Integer({ description: 'Decisions that would be other ones without this rule.' }),
    }),
    { description: 'Of at most five rules of the event.' },
  ),
});
export type ReportEffect = Static<typeof reportEffectSchema>;

export const allowedTextSchema = shape('AllowedText', {
  id: Type.String(),
  project_id: nullableText,
  project_name: nullableText,
  role: Type.Enum(['user', 'untrusted', 'developer', 'model'], {
    description: 'Whose words they are: the text passes as these alone.',
  }),
  threat_types: Type.Array(threatEnum, { description: 'Findings that no longer count in it.' }),
  event_id: Type.String({ description: 'The event in which it was reported.' }),
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
  request_id: nullable(Type.String(), { description: 'Of the X-Request-ID header.' }),
  latency_ms: Type.Number({ description: 'Time spent in this service.' }),
  project_name: nullableText,
  key_name: nullableText,
  device_name: nullableText,
  findings: Type.Array(
    Type.Object({
      rule: Type.String(),
      type: threatEnum,
      path: Type.String({ description: 'JSON pointer of the text it stands in.' }),
      role: Type.String(),
      start: count('UTF-16 offset into that text.'),
      end: count(),
      confidence: confidenceSchema,
      withheld: Type.Boolean({ description: 'The passage that it stands in was left out.' }),
      report_only: Type.Boolean({ description: 'The preset does not act on it.' }),
      tool: Type.Optional(Type.String({ description: 'Of a tool call: the tool that is called.' })),
    }),
    { description: 'Where and why a rule matched; the matched text is not stored.' },
  ),
  unscanned: Type.Array(
    Type.Object({ at: Type.Union([Type.Integer(), Type.String()]), reason: Type.String() }),
  ),
  judged_by: nullable(
    Type.Enum(['device'], { description: '`device`: the engine on the device judged texts.' }),
  ),
  failure: nullable(Type.Object({ reason: Type.String(), fail_mode: Type.Enum(['open', 'closed']) })),
  can_allow_text: Type.Boolean({
    description: 'An attack in a text decided, and the digest of that text was kept.',
  }),
  withheld_texts: Type.Array(
    Type.Object({
      path: Type.String({ description: 'JSON pointer of the text in this request.' }),
      requests: count('Requests in which a passage of it was withheld: each turn sends it again.'),
    }),
    {
      description:
        'Texts of this request that lost a passage, and how often they did so in the newest 1,000 redacted requests of the project.',
    },
  ),
  mark: nullable(eventFeedbackSchema),
});
export type EventDetail = Static<typeof eventDetailSchema>;

export const eventFeedbackRequestSchema = shape(
  'EventFeedbackRequest',
  {
    note: Type.Optional(Type.String({ maxLength: 500, description: 'Why it was fine.' })),
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
    description: 'Which rules people disagree with, most often first.',
  }),
});
export type FalsePositives = Static<typeof falsePositivesSchema>;
