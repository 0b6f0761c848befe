import { PII_TYPES, type RedactRequest, type RedactResponse } from '@csg/shared/contract';
import type { RedactResult } from '@csg/shared/detection';
import { conversationOf } from '@csg/shared/text';
import type { Scanner } from '../detection-workers/scanner.ts';
import { type AdmitDeps, admitRequest } from './admit-request.ts';
import type { Principal } from './authenticate-key.ts';
import { detectionUnavailable, type EvaluateDeps, type Evaluation, evaluateWith } from './evaluate-texts.ts';

export type RedactContentDeps = AdmitDeps &
  Omit<EvaluateDeps, 'scanner'> & { readonly scanner: Pick<Scanner, 'redact'> };

const ALWAYS_CLOSED = {
  failMode: 'closed',
  message: 'Nothing was returned, because the engine could not run.',
} as const;
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
  const texts = {
    conversation: conversationOf([{ path: '/content', role: 'user', text: request.content }]),
    unscanned: [],
    direction: 'input' as const,
    route: 'security/redact',
    model: null,
    requestId,
    ipAddress,
    usage,
  };
  const evaluation = await evaluateWith(deps, principal, texts, ALWAYS_CLOSED, async () => {
    result = await deps.scanner.redact(principal, request.content, request.pii_types ?? PII_TYPES);
    const hit = result.found.length > 0;
    return {
      decision: hit ? 'redact' : 'allow',
      confidence: hit ? 1 : 0,
      threatType: hit ? 'pii_leak' : null,
      threats: [],
      findings: [],
      replacements: new Map(),
      masked: { types: result.found, count: result.count },
    };
  });
  if (evaluation.decision === 'block') throw detectionUnavailable(evaluation.eventId, undefined, UNREAD);
  return {
    evaluation,
    response: { original: request.content, redacted: result.redacted, piiFound: [...result.found] },
  };
}
