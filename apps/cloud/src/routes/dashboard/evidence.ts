import { evidenceSchema, ValidationError } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { evidenceCsv } from '../../flows/evidence/export-evidence.ts';
import { type EvidenceDeps, readEvidence } from '../../flows/evidence/read-evidence.ts';
import type { Span } from '../../flows/evidence/read-figures.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { dashboardRoute } from './dashboard-route.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const MAX_DAYS = 366;

const querySchema = Type.Object({
  from: Type.Optional(
    Type.String({ format: 'date', description: 'First day, in UTC. Default: 90 days before the last one.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date', description: 'Last day, inclusive. Default: today.' })),
  format: Type.Optional(Type.Enum(['json', 'csv'])),
});

/** Registers evidence from the record for published frameworks, for audits. */
export function registerEvidence(app: FastifyInstance, deps: EvidenceDeps): void {
  app.get<{ Querystring: Static<typeof querySchema> }>(
    '/evidence',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getEvidence',
        area: 'Audit log',
        summary: 'Get evidence for audits',
        description:
          'Maps the record of a period to the OWASP lists for LLM and agentic applications, NIST AI RMF, the EU AI Act’s articles on logging, and ISO/IEC 42001. `format=csv` returns a spreadsheet. A period has at most 366 days.',
        query: querySchema,
        response: evidenceSchema,
      }),
    },
    async (request, reply) => {
      const span = spanOf(request.query, deps.clock.now());
      const evidence = await readEvidence(deps, memberOf(request).organizationId, span);
      if (request.query.format !== 'csv') return evidence;
      const name = `evidence-${evidence.from.slice(0, 10)}-${new Date(span.toMs - 1).toISOString().slice(0, 10)}.csv`;
      return reply
        .type('text/csv; charset=utf-8')
        .header('Content-Disposition', `attachment; filename="${name}"`)
        .serializer(String)
        .send(evidenceCsv(evidence));
    },
  );
}

function spanOf({ from, to }: Static<typeof querySchema>, nowMs: number): Span {
  const toMs = (to === undefined ? Math.floor(nowMs / DAY_MS) * DAY_MS : Date.parse(to)) + DAY_MS;
  const fromMs = from === undefined ? toMs - DEFAULT_DAYS * DAY_MS : Date.parse(from);
  const days = (toMs - fromMs) / DAY_MS;
  if (days >= 1 && days <= MAX_DAYS) return { fromMs, toMs };
  const msg =
    days < 1
      ? 'Enter a first day that is not after the last one.'
      : `Choose a period of at most ${MAX_DAYS} days.`;
  throw new ValidationError([{ loc: ['query', 'from'], msg, type: 'range' }]);
}
