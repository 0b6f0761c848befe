import { Readable } from 'node:stream';
import {
  auditPageSchema,
  auditRowSchema,
  auditTargetSchema,
  auditVerificationSchema,
  CodedError,
  chainReportSchema,
  changeAuditTargetSchema,
  timestamp,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { redactUrl } from '../../access/redact-url.ts';
import { hasRole } from '../../access/require-role.ts';
import { changeAuditTarget } from '../../flows/audit/change-audit-target.ts';
import { listVerifications } from '../../flows/audit/list-verifications.ts';
import type { CheckpointStamper } from '../../flows/audit/stamp-checkpoints.ts';
import { createChainVerifier } from '../../flows/audit/verify-chains.ts';
import { notifyOfFailure } from '../../flows/audit/verify-daily.ts';
import type { Clock } from '../../flows/clock.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

export interface AuditRouteDeps {
  readonly storage: Storage;
  readonly targetRules: GuardRules;
  readonly timestampAuthority: CheckpointStamper | null;
  readonly clock: Clock;
}

const time = Type.Optional(timestamp);
const EXPORT_TYPE = 'application/x-ndjson';
const word = Type.Optional(Type.String({ maxLength: 64 }));
const querySchema = Type.Object({
  before: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: '`next` of the previous page.' })),
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9]\\d?|1\\d\\d|200)$', description: '1 to 200; default 50.' }),
  ),
  kind: word,
  only: Type.Optional(
    Type.Enum(['changes', 'decisions'], { description: '`changes`: only actions of people and commands.' }),
  ),
  actor: Type.Optional(Type.String({ maxLength: 64, description: 'Id of the one who acted.' })),
  subject: word,
  address: Type.Optional(
    Type.String({ maxLength: 64, description: 'Address of the client that acted; for admins and auditors.' }),
  ),
  from: time,
  to: time,
});

/** Registers the audit log: read, verify, export, and the target of its checkpoints. */
export function registerAudit(app: FastifyInstance, deps: AuditRouteDeps): void {
  const verifier = createChainVerifier(deps.storage, deps.timestampAuthority);
  app.get<{ Querystring: Static<typeof querySchema> }>(
    '/audit-log',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listAuditLog',
        area: 'Audit log',
        summary: 'List the audit log',
        query: querySchema,
        response: auditPageSchema,
      }),
    },
    async (request) => {
      const { before, limit, from, to, ...rest } = request.query;
      const { organizationId, role } = memberOf(request);
      const seesAddresses = hasRole(role, 'admin') || role === 'auditor';
      if (rest.address !== undefined && !seesAddresses)
        throw new CodedError('insufficient_role', { fields: { required_role: 'admin' } });
      const page = await deps.storage.audit.page(organizationId, {
        ...rest,
        ...(before === undefined ? {} : { before: Number(before) }),
        ...(limit === undefined ? {} : { limit: Number(limit) }),
        ...(from === undefined ? {} : { fromMs: Date.parse(from) }),
        ...(to === undefined ? {} : { toMs: Date.parse(to) }),
      });
      const rows = page.rows.map((row) => rowRecord(seesAddresses ? row : { ...row, address: null }));
      return { rows, next: page.next };
    },
  );
  app.post(
    '/audit-log/verify-chain',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'verifyAuditChain',
        area: 'Audit log',
        summary: 'Verify the audit chain',
        description:
          'Recomputes every hash and link and compares them with the sealed head and the signed checkpoints. Returns the first broken row, and the number of rows that no checkpoint covers as the unanchored tail.',
        response: chainReportSchema,
      }),
    },
    async (request) => {
      const { organizationId, id } = memberOf(request);
      const report = await verifier.verify(organizationId, id);
      await notifyOfFailure(deps, organizationId, report);
      return report;
    },
  );
  app.get(
    '/audit-log/verifications',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listAuditVerifications',
        area: 'Audit log',
        summary: 'List verifications of the audit log',
        description: 'The latest 20, newest first, with the progress of those that run.',
        response: Type.Array(auditVerificationSchema),
      }),
    },
    async (request) =>
      (await listVerifications(deps, memberOf(request).organizationId)).map(verificationRecord),
  );
  app.get(
    '/audit-log/export',
    {
      config: needsRole('admin', { isForAuditors: true }),
      schema: dashboardRoute({
        id: 'exportAuditLog',
        area: 'Audit log',
        summary: 'Export the audit log',
        description:
          'JSON lines: a header, the rows, the checkpoints, their time stamps. `scripts/verify-audit.ts` checks it offline.',
        response: { content: { [EXPORT_TYPE]: { schema: Type.String() } } },
      }),
      // A stream: nothing is serialized.
      serializerCompiler: () => (data) => data as string,
    },
    async (request, reply) => {
      const { organizationId, id } = memberOf(request);
      const entry = { organizationId, kind: 'audit_exported', actor: id, subject: organizationId };
      await deps.storage.audit.append({ ...entry, data: {} });
      const day = new Date(deps.clock.now()).toISOString().slice(0, 10);
      return reply
        .type(EXPORT_TYPE)
        .header('content-disposition', `attachment; filename="audit-${organizationId}-${day}.jsonl"`)
        .send(Readable.from(deps.storage.audit.exportLines(organizationId)));
    },
  );
  registerTarget(app, deps);
}

function registerTarget(app: FastifyInstance, deps: AuditRouteDeps): void {
  app.get(
    '/audit-log/target',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getAuditTarget',
        area: 'Audit log',
        summary: 'Get the address that receives checkpoints',
        response: auditTargetSchema,
      }),
    },
    async (request) => {
      const { organizationId, role } = memberOf(request);
      const target = await deps.storage.endpoints.own(organizationId, 'audit', null);
      return { url: redactUrl(target?.url ?? null, role), warnings: [] };
    },
  );
  app.put<{ Body: { url: string } }>(
    '/audit-log/target',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'setAuditTarget',
        area: 'Audit log',
        summary: 'Set the address that receives checkpoints',
        description:
          'Each signed checkpoint is sent there as `audit.checkpoint`, like a webhook. A copy elsewhere proves that the log was not rewritten.',
        body: changeAuditTargetSchema,
        response: auditTargetSchema,
      }),
    },
    (request) => changeAuditTarget(deps, memberOf(request), request.body.url),
  );
}

const rowRecord = wireOf(auditRowSchema);
const verificationRecord = wireOf(auditVerificationSchema);
