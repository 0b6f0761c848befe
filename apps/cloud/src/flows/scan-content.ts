import type { ScanRequest, ScanResponse } from '@csg/shared/contract';
import { conversationOf } from '@csg/shared/text';
import { type AdmitDeps, admitRequest } from './admit-request.ts';
import type { Principal } from './authenticate-key.ts';
import { roundMs } from './clock.ts';
import { engineUnavailable, NOT_SCANNED } from './engine-unavailable.ts';
import { type JudgeDeps, type Judgement, judgeTexts } from './judge-texts.ts';

export type ScanContentDeps = AdmitDeps & JudgeDeps;

/** One text, as a prompt or as a model's answer. */
export async function scanContent(
  deps: ScanContentDeps,
  principal: Principal,
  request: ScanRequest,
  requestId: string,
  ipAddress?: string,
): Promise<{ response: ScanResponse; judgement: Judgement }> {
  const startedMs = deps.clock.elapsed();
  const isAnswer = request.type === 'response';
  const usage = await admitRequest(deps, principal, 'quota_exceeded');
  const judgement = await judgeTexts(deps, principal, {
    conversation: conversationOf([
      { path: '/content', role: isAnswer ? 'assistant' : 'user', text: request.content },
    ]),
    unscanned: [],
    direction: isAnswer ? 'output' : 'input',
    route: 'security/scan',
    model: null,
    requestId,
    ipAddress,
    usage,
  });
  const { decision, verdict } = judgement;
  const reasons = verdict.threats.map((threat) => threat.details);
  if (judgement.isUnscanned) reasons.push(NOT_SCANNED);
  return {
    judgement,
    response: {
      blocked: decision === 'block',
      decision,
      reason: reasons.join(' ') || 'No threat was found.',
      threatType: judgement.threatType,
      confidence: judgement.confidence,
      eventId: judgement.eventId,
      processingTimeMs: roundMs(deps.clock.elapsed() - startedMs),
      ...(judgement.isUnscanned ? { unscanned: engineUnavailable(1) } : {}),
    },
  };
}
