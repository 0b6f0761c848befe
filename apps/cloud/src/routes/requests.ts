import {
  type CreateFeedback,
  createFeedbackSchema,
  type ErrorCode,
  exceptionSchema,
  feedbackSchema,
  idSchema,
  toolReviewSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { readRequest } from '../flows/approvals/cancel-request.ts';
import { type FeedbackDependencies, reportFalsePositive } from '../flows/insight/report-false-positive.ts';
import { principalOf } from '../plugins/auth.ts';
import { withStoredResponse } from '../plugins/idempotency.ts';
import { needsScope } from '../plugins/route-access.ts';
import type { Storage } from '../storage/storage.ts';
import { documented } from './documented.ts';
import { MAX_REQUESTS, recordOf } from './requestable.ts';

const CODES: readonly ErrorCode[] = ['missing_api_key', 'invalid_api_key'];

interface RequestDeps extends FeedbackDependencies {
  readonly storage: FeedbackDependencies['storage'] & Pick<Storage, 'requests'>;
}

/** Registers what only keys and devices call. */
export function registerRequests(app: FastifyInstance, deps: RequestDeps): void {
  registerActiveExceptions(app, deps);
  registerFeedback(app, deps);
  registerToolReview(app, deps);
}

function registerActiveExceptions(app: FastifyInstance, deps: RequestDeps): void {
  app.get(
    '/exceptions/active',
    {
      config: needsScope('exceptions', { device: true }),
      schema: documented({
        tag: 'Approvals',
        id: 'listActiveExceptions',
        summary: 'List active exceptions',
        response: Type.Array(exceptionSchema),
        codes: CODES,
      }),
    },
    async (request) => {
      const { organizationId, deviceId } = principalOf(request);
      const found = await deps.storage.requests.list(organizationId, {
        ...{ kind: 'exception', status: 'approved', limit: MAX_REQUESTS },
        ...(deviceId === null ? {} : { deviceId }),
      });
      return found.map(recordOf);
    },
  );
}

function registerFeedback(app: FastifyInstance, deps: FeedbackDependencies): void {
  app.post<{ Params: { event_id: string }; Body: CreateFeedback }>(
    '/events/:event_id/feedback',
    {
      config: needsScope('exceptions'),
      schema: documented({
        tag: 'Approvals',
        id: 'createFeedback',
        summary: 'Report an event as a false positive',
        description:
          'The decision of the event does not change. With `allow_text`, an approver is asked to allow exactly these texts in this project from then on; the texts themselves are never stored.',
        params: Type.Object({ event_id: Type.String({ maxLength: 128 }) }),
        body: createFeedbackSchema,
        response: feedbackSchema,
        status: 201,
        codes: ['missing_api_key', 'invalid_api_key', 'not_found', 'invalid_state', 'insufficient_role'],
      }),
    },
    async (request, reply) => {
      const { reason, allow_text } = request.body;
      const report = await reportFalsePositive(
        withStoredResponse(deps, request, recordOf, 201),
        principalOf(request),
        request.params.event_id,
        { reason: reason || null, allowText: allow_text === true },
      );
      return reply.code(201).send(recordOf(report));
    },
  );
}

function registerToolReview(app: FastifyInstance, deps: RequestDeps): void {
  app.get<{ Params: { review_id: string } }>(
    '/agent/reviews/:review_id',
    {
      config: needsScope('agent'),
      schema: documented({
        tag: 'Agents',
        id: 'getToolReview',
        summary: 'Get the state of a tool call review',
        description:
          'For an agent that waits for the decision. After approval, the same call is allowed once within an hour.',
        params: Type.Object({ review_id: idSchema }),
        response: toolReviewSchema,
        codes: [...CODES, 'not_found'],
      }),
    },
    async (request) => {
      const which = { id: request.params.review_id, kind: 'tool_review' } as const;
      return recordOf(await readRequest(deps, principalOf(request), which));
    },
  );
}
