import {
  type ModelPrices,
  modelPricesSchema,
  reconcileUsageSchema,
  reconciliationSchema,
  USAGE_GROUPS,
  type UsageGroup,
  usageReportSchema,
  ValidationError,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Clock } from '../../flows/clock.ts';
import { usageReportCsv } from '../../flows/usage-report/export-usage-report.ts';
import { readUsageReport, type UsageReportDeps } from '../../flows/usage-report/read-usage-report.ts';
import { reconcileUsage } from '../../flows/usage-report/reconcile-usage.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { dashboardRoute } from './dashboard-route.ts';

export interface UsageReportRouteDeps extends UsageReportDeps {
  readonly storage: UsageReportDeps['storage'] & Pick<Storage, 'flush' | 'transaction'>;
  readonly clock: Clock;
}

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));
const reportQuery = Type.Object({
  by: Type.Optional(Type.Enum([...USAGE_GROUPS], { description: 'Default project.' })),
  from: day('First day, in UTC. Default: the first of this month.'),
  to: day('Last day, inclusive. Default: today.'),
  project_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Only this project; sessions and tags, but for hosts, need one.',
    }),
  ),
  session: Type.Optional(Type.String({ maxLength: 256, description: 'Only requests of this session.' })),
  tag: Type.Optional(
    Type.String({ maxLength: 256, description: 'Only requests with this label, as `name=value`.' }),
  ),
  format: Type.Optional(Type.Enum(['json', 'csv'])),
});
interface ReportQuery {
  readonly by?: UsageGroup;
  readonly from?: string;
  readonly to?: string;
  readonly project_id?: string;
  readonly session?: string;
  readonly tag?: string;
  readonly format?: 'json' | 'csv';
}

/** Registers the usage of the organization's models by origin, with its cost. */
export function registerUsageReport(app: FastifyInstance, deps: UsageReportRouteDeps): void {
  app.get<{ Querystring: ReportQuery }>(
    '/usage/report',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getUsageReport',
        area: 'Usage',
        summary: 'Get usage by day, project, key, model, device, person, session, tag or host',
        description:
          'Covers this organization. Tokens are those that providers report. Rejections that other instances counted are included within five seconds. `host` is the AI host that a device or guard named. By session or tag, a request counts in each of its labels, and the total is the sum of the rows. `format=csv` returns a spreadsheet.',
        query: reportQuery,
        response: usageReportSchema,
      }),
    },
    async (request, reply) => {
      const { by = 'project', format, project_id: projectId, session, tag } = request.query;
      const range = rangeOf(request.query, deps.clock.now());
      const report = await readUsageReport(deps, memberOf(request).organizationId, range, by, {
        ...{ projectId, session, tag },
      });
      if (format !== 'csv') return report;
      const name = `usage-${by}-${range.fromDay}-${range.toDay}.csv`;
      return reply
        .type('text/csv; charset=utf-8')
        .header('Content-Disposition', `attachment; filename="${name}"`)
        .serializer(String)
        .send(usageReportCsv(report));
    },
  );

  app.post<{ Body: { report: string } }>(
    '/usage/reconcile',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'reconcileUsage',
        area: 'Usage',
        summary: 'Compare the usage report of a provider with what is recorded',
        description:
          'Lists, by day and model, what the provider counted and this gateway did not record. The report is compared and not stored.',
        body: reconcileUsageSchema,
        response: reconciliationSchema,
      }),
    },
    (request) => reconcileUsage(deps, memberOf(request).organizationId, request.body.report),
  );

  app.get(
    '/usage/prices',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getModelPrices',
        area: 'Usage',
        summary: 'Get the prices of models',
        response: modelPricesSchema,
      }),
    },
    async (request) => ({
      prices: [...(await deps.storage.usageDetails.getPrices(memberOf(request).organizationId))],
    }),
  );
  app.put<{ Body: ModelPrices }>(
    '/usage/prices',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'updateModelPrices',
        area: 'Usage',
        summary: 'Replace the prices of models',
        description: 'The prices apply to all usage, including that of earlier months.',
        body: modelPricesSchema,
        response: modelPricesSchema,
      }),
    },
    async (request) => {
      const { organizationId, id: actor } = memberOf(request);
      const { prices } = request.body;
      await deps.storage.transaction(async ({ usageDetails, audit }) => {
        await usageDetails.setPrices(organizationId, prices);
        const entry = { organizationId, kind: 'model_prices_changed', actor, subject: organizationId };
        await audit.append({ ...entry, data: { prices: prices.length } });
      });
      return { prices };
    },
  );
}

function rangeOf({ from, to }: ReportQuery, nowMs: number): { fromDay: string; toDay: string } {
  const toDay = to ?? new Date(nowMs).toISOString().slice(0, 10);
  const fromDay = from ?? `${toDay.slice(0, 7)}-01`;
  if (fromDay <= toDay) return { fromDay, toDay };
  const msg = `Enter a day that is not after ${toDay}.`;
  throw new ValidationError([{ loc: ['query', 'from'], msg, type: 'range' }]);
}
