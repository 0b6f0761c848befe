import { PII_TYPES, type RedactRequest, type RedactResponse } from '@csg/shared/contract';
import { EMPTY_VERDICT, type Step, unscannable, type Verdict } from '@csg/shared/decision';
import type { RedactResult } from '@csg/shared/detection';
import { conversationOf } from '@csg/shared/text';
import type { Scanner } from '../detection-workers/scanner.ts';
import { type AdmitDeps, admitRequest } from './admit-request.ts';
import type { Principal } from './authenticate-key.ts';
import { detectionUnavailable, type EvaluateDeps, type Evaluation, evaluate } from './decision/evaluate.ts';

export type RedactContentDeps = AdmitDeps & EvaluateDeps & { readonly scanner: Pick<Scanner, 'redact'> };

const NOT_RUN = 'Nothing was returned, because the engine could not run.';
const UNREAD = 'Nothing was returned, because the text could not be scanned completely.';

/** Removes personal data from one text. Always fails closed: a text that was not scanned is never returned. */
export async function redactContent(
  deps: RedactContentDeps,
  principal: Principal,
  request: RedactRequest,
  requestId: string,
  ipAddress?: string,
): Promise<{ response: RedactResponse; evaluation: Evaluation }> {
  const usage = await admitRequest(deps, principal, 'quota_exceeded');
  let result: RedactResult = { redacted: '', found: [], count: 0 };
  const masks: Step = (verdict) => (result.count === 0 ? verdict : masked(result));
  const evaluation = await evaluate(deps, principal, {
    recorded: { route: 'security/redact', model: null, requestId, ipAddress, usage },
    direction: 'input',
    texts: {
      conversation: conversationOf([{ path: '/content', role: 'user', text: request.content }]),
      unread: [],
    },
    delivery: 'written',
    scan: async () => {
      result = await deps.scanner.redact(principal, request.content, request.pii_types ?? PII_TYPES);
      return [];
    },
    // Only the types that the caller names, whatever the project's policies are.
    steps: [unscannable, masks],
    ...{ failMode: 'closed', failMessage: NOT_RUN },
  });
  if (evaluation.decision === 'block') throw detectionUnavailable(evaluation.eventId, undefined, UNREAD);
  return {
    evaluation,
    response: { original: request.content, redacted: result.redacted, piiFound: [...result.found] },
  };
}

function masked({ found: types, count }: RedactResult): Verdict {
  return {
    ...EMPTY_VERDICT,
    ...{ decision: 'redact', confidence: 1, threatType: 'pii_leak', masked: { types, count } },
  };
}
