import type { ScanRequest, ScanResponse } from '@csg/shared/contract';
import { conversationOf } from '@csg/shared/text';
import { type AdmitDeps, admitRequest } from './admit-request.ts';
import type { Principal } from './authenticate-key.ts';
import { roundMs } from './clock.ts';
import { type EvaluateDeps, type Evaluation, evaluate } from './decision/evaluate.ts';
import { engineUnavailable, NOT_SCANNED } from './engine-unavailable.ts';

export type ScanContentDeps = AdmitDeps & EvaluateDeps;

/** Scans one text, as a prompt or as a model's response. */
export async function scanContent(
  deps: ScanContentDeps,
  principal: Principal,
  request: ScanRequest,
  requestId: string,
  ipAddress?: string,
): Promise<{ response: ScanResponse; evaluation: Evaluation }> {
  const startedMs = deps.clock.elapsed();
  const isResponse = request.type === 'response';
  const usage = await admitRequest(deps, principal, 'quota_exceeded');
  const slot = { path: '/content', role: isResponse ? 'assistant' : 'user', text: request.content } as const;
  const evaluation = await evaluate(deps, principal, {
    recorded: { route: 'security/scan', model: null, requestId, ipAddress, usage },
    direction: isResponse ? 'output' : 'input',
    texts: { conversation: conversationOf([slot]), unread: [] },
    delivery: 'told',
  });
  const { decision, verdict } = evaluation;
  const reasons = verdict.threats.map((threat) => threat.details);
  if (evaluation.isUnscanned) reasons.push(NOT_SCANNED);
  return {
    evaluation,
    response: {
      blocked: decision === 'block',
      decision,
      reason: reasons.join(' ') || 'No threat was found.',
      threatType: evaluation.threatType,
      confidence: evaluation.confidence,
      eventId: evaluation.eventId,
      processingTimeMs: roundMs(deps.clock.elapsed() - startedMs),
      ...(evaluation.isUnscanned ? { unscanned: engineUnavailable(1) } : {}),
    },
  };
}
