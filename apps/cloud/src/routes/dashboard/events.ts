import { Readable } from 'node:stream';
import {
  CodedError,
  type EventDetail,
  type EventFeedbackRequest,
  type EventList,
  type EventQuery,
  eventDetailSchema,
  eventFeedbackRequestSchema,
  eventListSchema,
  eventQuerySchema,
  falsePositivesSchema,
  reportEffectSchema,
  type SessionDecisionsQuery,
  sessionDecisionsQuerySchema,
  sessionDecisionsSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { countWithheld } from '../../flows/insight/count-withheld.ts';
import { type DeciderDeps, readDeciders } from '../../flows/insight/read-deciders.ts';
import { type NameDeps, readNames } from '../../flows/insight/read-names.ts';
import { type ReportEffectDeps, readReportEffect } from '../../flows/insight/report-effect.ts';
import {
  cancelReport,
  countByRule,
  type FeedbackDependencies,
  readEvent,
  reportFalsePositive,
} from '../../flows/insight/report-false-positive.ts';
import { readEventFilter } from '../../flows/insight/search-events.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { EventFilter, EventSort, FalsePositive, SecurityEvent, Storage } from '../../storage/storage.ts';
import { StorageError } from '../../storage/storage-error.ts';
import { callerOf } from './caller-of.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { eventDetail, eventSummary, falsePositive } from './event-records.ts';
import { EXPORT_TYPES, exportEvents } from './export-events.ts';
import { registerSavedFilters } from './saved-filters.ts';

const PAGE = 50;
const MAX_REPORTS = 500;
const params = Type.Object({ event_id: Type.String({ maxLength: 128 }) });
interface EventParams {
  event_id: string;
}

const config = needsRole('viewer');

/** Registers decisions, and feedback on them. */
export function registerEvents(
  app: FastifyInstance,
  deps: FeedbackDependencies & NameDeps & ReportEffectDeps & { storage: Storage },
): void {
  registerEventReads(app, deps);
  registerEventFeedback(app, deps);
  registerSavedFilters(app, deps);
}

function registerEventReads(
  app: FastifyInstance,
  deps: FeedbackDependencies & NameDeps & { storage: Storage },
): void {
  app.get<{ Querystring: EventQuery }>(
    '/events',
    {
      config,
      schema: dashboardRoute({
        id: 'listEvents',
        area: 'Events',
        summary: 'List events',
        description: `Newest first unless \`sort\` and \`order\` request another order, ${PAGE} per page; the last page is as fast as the first. \`format\` returns everything as CSV or JSON lines.`,
        query: eventQuerySchema,
        response: eventListSchema,
        codes: ['invalid_request'],
      }),
    },
    async (request, reply) => {
      const { organizationId } = memberOf(request);
      const { before, format, sort: by = 'time', order = 'desc', ...query } = request.query;
      const sort = { by, order };
      const filter = await readEventFilter(deps, organizationId, query);
      if (format !== undefined) {
        await deps.storage.flush();
        return reply
          .type(EXPORT_TYPES[format])
          .header('content-disposition', `attachment; filename="events.${format}"`)
          .send(Readable.from(exportEvents(deps, organizationId, { filter, sort }, format)));
      }
      return readPage(deps, organizationId, filter, sort, before);
    },
  );

  app.get<{ Params: { session: string }; Querystring: SessionDecisionsQuery }>(
    '/sessions/:session',
    {
      config,
      schema: dashboardRoute({
        id: 'getSessionDecisions',
        area: 'Events',
        summary: 'Get the decisions of a session',
        description: `What one run of a client asked and what was decided, oldest first, ${PAGE} per page. Sessions are labels of clients: see \`X-Service-Session\`.`,
        params: Type.Object({ session: Type.String({ maxLength: 256 }) }),
        query: sessionDecisionsQuerySchema,
        response: sessionDecisionsSchema,
        codes: ['not_found', 'invalid_request'],
      }),
    },
    async (request) => {
      const { organizationId } = memberOf(request);
      const { session } = request.params;
      const { project_id: projectId, after } = request.query;
      const filter = { session, ...(projectId === undefined ? {} : { projectId }) };
      const { events, next } = await readPage(deps, organizationId, filter, OLDEST_FIRST, after);
      if (events.length === 0 && after === undefined) throw new CodedError('not_found');
      return { id: session, decisions: events, next };
    },
  );

  app.get<{ Params: EventParams }>(
    '/events/:event_id',
    {
      config,
      schema: dashboardRoute({
        id: 'getEvent',
        area: 'Events',
        summary: 'Get an event',
        description: 'Contains which rule matched, where, and with which confidence; never the text.',
        params,
        response: eventDetailSchema,
        codes: ['not_found'],
      }),
    },
    async (request) => {
      const { organizationId } = memberOf(request);
      const event = await readEvent(deps, organizationId, request.params.event_id);
      const feedback = await deps.storage.requests.findReport(organizationId, event.id);
      return detailOf(deps, organizationId, event, feedback);
    },
  );
}

const OLDEST_FIRST: EventSort = { by: 'time', order: 'asc' };

async function readPage(
  deps: DeciderDeps & { storage: Storage },
  organizationId: string,
  filter: EventFilter,
  sort: EventSort,
  after: string | undefined,
): Promise<EventList> {
  await deps.storage.flush();
  const { events, next } = await deps.storage.events
    .page(organizationId, { filter, sort, limit: PAGE, ...(after === undefined ? {} : { after }) })
    .catch((error: unknown) => {
      if (!(error instanceof StorageError) || error.code !== 'rejected') throw error;
      throw new CodedError('invalid_request', {
        message: 'The position is not the `next` of a page in this order.',
      });
    });
  const nameDecider = await readDeciders(deps, organizationId, events);
  return { events: events.map((event) => eventSummary(event, nameDecider)), next };
}

async function detailOf(
  deps: NameDeps & DeciderDeps & { storage: Pick<Storage, 'events'> },
  organizationId: string,
  event: SecurityEvent,
  feedback: FalsePositive | null,
): Promise<EventDetail> {
  const names = await readNames(deps, organizationId);
  const [nameDecider, withheldTexts] = await Promise.all([
    readDeciders(deps, organizationId, [event]),
    countWithheld(deps, event),
  ]);
  return eventDetail(event, feedback, names, nameDecider, withheldTexts);
}

function registerEventFeedback(
  app: FastifyInstance,
  deps: FeedbackDependencies & NameDeps & ReportEffectDeps & { storage: Storage },
): void {
  app.get<{ Params: EventParams }>(
    '/events/:event_id/report-effect',
    {
      config,
      schema: dashboardRoute({
        id: 'getReportEffect',
        area: 'Events',
        summary: 'Get what a report of a false positive would change',
        description:
          'Counts the decisions of the last 7 days in the project of the event that would change if exactly its texts were allowed, and without each of its rules. Based on recorded findings; changes nothing.',
        params,
        response: reportEffectSchema,
        codes: ['not_found'],
      }),
    },
    (request) => readReportEffect(deps, memberOf(request).organizationId, request.params.event_id),
  );

  app.put<{ Params: EventParams; Body: EventFeedbackRequest }>(
    '/events/:event_id/mark',
    {
      config: needsRole('member', { isByProject: true }),
      schema: dashboardRoute({
        id: 'reportFalsePositive',
        area: 'Events',
        summary: 'Report an event as a false positive',
        params,
        body: eventFeedbackRequestSchema,
        response: eventDetailSchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request) => {
      const caller = callerOf(request);
      const { note, allow_text } = request.body;
      const feedback = await reportFalsePositive(deps, caller, request.params.event_id, {
        reason: note || null,
        allowText: allow_text === true,
      });
      return detailOf(deps, caller.organizationId, feedback.event, feedback);
    },
  );

  app.delete<{ Params: EventParams }>(
    '/events/:event_id/mark',
    {
      config: needsRole('member', { isByProject: true }),
      schema: dashboardRoute({
        id: 'withdrawFalsePositive',
        area: 'Events',
        summary: 'Remove the report of a false positive',
        params,
        response: null,
        status: 204,
        codes: ['not_found'],
      }),
    },
    async (request, reply) => {
      await cancelReport(deps, callerOf(request), request.params.event_id);
      return reply.code(204).send();
    },
  );

  app.get(
    '/false-alarms',
    {
      config,
      schema: dashboardRoute({
        id: 'listFalsePositives',
        area: 'Events',
        summary: 'List reported false positives',
        description: 'Returns the newest 500 reports and the rules that they concern.',
        response: falsePositivesSchema,
      }),
    },
    async (request) => {
      const { organizationId } = memberOf(request);
      const allFeedback = await deps.storage.requests.list(organizationId, {
        ...{ kind: 'false_positive', limit: MAX_REPORTS },
      });
      const names = await readNames(deps, organizationId);
      const events = allFeedback.map(({ event }) => event);
      const nameDecider = await readDeciders(deps, organizationId, events);
      return {
        marks: allFeedback.map((feedback) => falsePositive(feedback, names, nameDecider)),
        rules: countByRule(allFeedback),
      };
    },
  );
}
