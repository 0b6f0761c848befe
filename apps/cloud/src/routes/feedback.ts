import {
  type CreateFeedback,
  createFeedbackSchema,
  type Feedback,
  feedbackSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type FeedbackDependencies, reportFalsePositive } from '../flows/insight/report-false-positive.ts';
import { principalOf } from '../plugins/auth.ts';
import { withStoredResponse } from '../plugins/idempotency.ts';
import { needsScope } from '../plugins/route-access.ts';
import type { EventFeedback } from '../storage/storage.ts';
import { documented } from './documented.ts';

const params = Type.Object({ event_id: Type.String({ maxLength: 128 }) });

/** Registers a developer's feedback on a decision of their organization. */
export function registerFeedback(app: FastifyInstance, deps: FeedbackDependencies): void {
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
        params,
        body: createFeedbackSchema,
        response: feedbackSchema,
        status: 201,
        codes: ['missing_api_key', 'invalid_api_key', 'not_found', 'invalid_state', 'insufficient_role'],
      }),
    },
    async (request, reply) => {
      const { reason, allow_text } = request.body;
      const feedback = await reportFalsePositive(
        withStoredResponse(deps, request, feedbackRecord, 201),
        principalOf(request),
        request.params.event_id,
        { reason: reason || null, allowText: allow_text === true },
      );
      return reply.code(201).send(feedbackRecord(feedback));
    },
  );
}

export function feedbackRecord({ id, eventId, allowText, status }: EventFeedback): Feedback {
  return { id, event_id: eventId, verdict: 'false_positive', allow_text: allowText, status };
}
