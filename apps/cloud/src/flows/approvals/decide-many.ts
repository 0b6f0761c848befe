import { CodedError, type DecideMany, type ManyDecided } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { decideToolReview, type ReviewDeps } from '../agent/tool-reviews.ts';
import { type DecideDeps, decideException } from './decide-exception.ts';
import { decideFeedback, type FeedbackDecisionDeps } from './decide-feedback.ts';
import { decideToolRequest } from './tool-requests.ts';

export type DecideManyDeps = DecideDeps & ReviewDeps & FeedbackDecisionDeps;

type Kind = DecideMany['requests'][number]['kind'];

/** Decides each request on its own, in order: one that another approver has already decided does not stop the rest. */
export async function decideMany(
  deps: DecideManyDeps,
  approver: Admin,
  { decision, reason, requests }: DecideMany,
): Promise<ManyDecided> {
  const verdict = { approve: decision === 'approve', ...(reason === undefined ? {} : { reason }) };
  const decide: Record<Kind, (id: string) => Promise<unknown>> = {
    exception: (id) => decideException(deps, approver, id, verdict),
    tool_request: (id) => decideToolRequest(deps, approver, id, verdict),
    tool_review: (id) => decideToolReview(deps, approver, id, verdict),
    text: (id) => decideFeedback(deps, approver, id, verdict),
  };
  const result: ManyDecided = { decided: [], failed: [] };
  for (const { kind, id } of requests) {
    try {
      await decide[kind](id);
      result.decided.push({ kind, id });
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      result.failed.push({ kind, id, code: error.code, message: error.message });
    }
  }
  return result;
}
