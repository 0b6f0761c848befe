import Type, { type Static } from 'typebox';
import { nullable, nullableText, shape, timestamp } from './fields.ts';

export const auditRowSchema = shape('AuditRow', {
  seq: Type.Integer({ description: '1, 2, 3 … without gaps.' }),
  at: timestamp,
  kind: Type.String({ description: 'What happened, such as key_created.' }),
  actor: Type.String({ description: 'Id of the user, key or device, or `system` or `operator`.' }),
  subject: Type.String({ description: 'Id of the object that the action affected.' }),
  data: Type.Object({}, { additionalProperties: true }),
  address: nullable(Type.String(), {
    description:
      'Address of the client that acted, for admins and auditors. It is no part of the chain, and erased with the person; null: unknown.',
  }),
  prev_hash: Type.String({ description: 'Hash of the previous row.' }),
  hash: Type.String({ description: 'Hash of this row.' }),
});

export const auditPageSchema = shape('AuditPage', {
  rows: Type.Array(auditRowSchema),
  next: nullable(Type.Integer(), {
    description:
      'Value of `before` for the next page. A page may contain fewer rows than requested although another one follows.',
  }),
});
export type AuditPageResponse = Static<typeof auditPageSchema>;

const problemSchema = shape('AuditChainProblem', {
  seq: Type.Integer(),
  reason: Type.String(),
  message: Type.String(),
});

export const chainReportSchema = shape('AuditChainReport', {
  valid: Type.Boolean(),
  checked: Type.Integer({ description: 'Rows that were read and found valid.' }),
  first_invalid: Type.Optional(problemSchema),
  faults: Type.Array(problemSchema, { description: 'At most 20.' }),
  anchored_until: Type.Integer({ description: 'Highest row that a genuine checkpoint covers; 0: none.' }),
  unanchored_tail: Type.Integer({
    description: 'Number of rows after `anchored_until`; no checkpoint covers them yet.',
  }),
  checkpoints: Type.Array(
    Type.Object({
      number: Type.Integer(),
      seq: Type.Integer(),
      at: timestamp,
      valid: Type.Boolean(),
      found_in: Type.Array(Type.Enum(['database', 'file'])),
    }),
  ),
  timestamp: nullable(
    Type.Object({
      seq: Type.Integer({ description: 'The row that the stamped checkpoint covers.' }),
      at: timestamp,
      valid: Type.Boolean({
        description: 'True if the time stamp chains to a certificate that the operator trusts.',
      }),
    }),
    { description: 'The newest time stamp (RFC 3161); null: none, or no authority is configured.' },
  ),
  notes: Type.Array(Type.String()),
  events_checked: Type.Integer({ description: 'Events that match what their row recorded.' }),
  events_changed: Type.Array(Type.String(), { description: 'Event ids, at most 1,000.' }),
  events_missing: Type.Array(Type.String(), {
    description: 'Event ids, at most 1,000. Events that retention deleted are not among them.',
  }),
  events_unrecorded: Type.Array(Type.String(), {
    description: 'Ids of events that no row records, at most 1,000.',
  }),
  events_covered_from: Type.Integer({
    description:
      'First row from which every decision has a digest of its event; older rows are not compared.',
  }),
});
export type ChainReport = Static<typeof chainReportSchema>;

export const auditVerificationSchema = shape('AuditVerification', {
  id: Type.String(),
  state: Type.Enum(['running', 'valid', 'invalid', 'failed', 'interrupted'], {
    description:
      '`failed`: the log could not be read. `interrupted`: it ended without a result, as when the service stopped.',
  }),
  started_by: Type.String({ description: 'Id of a user or token, or `system` for the daily verification.' }),
  started_at: timestamp,
  ended_at: nullable(timestamp),
  rows_read: Type.Integer(),
  rows_total: nullable(Type.Integer(), { description: 'null: not known yet.' }),
  first_invalid: nullable(Type.Integer(), { description: 'The first invalid row.' }),
});
export type AuditVerificationRecord = Static<typeof auditVerificationSchema>;

export const auditTargetSchema = shape('AuditTarget', {
  url: nullableText,
  warnings: Type.Array(Type.String(), { description: 'What to check, such as an address without TLS.' }),
});
export type AuditTarget = Static<typeof auditTargetSchema>;

export const changeAuditTargetSchema = shape('ChangeAuditTargetRequest', {
  url: Type.String({ maxLength: 2_048, description: 'Empty: none.' }),
});
