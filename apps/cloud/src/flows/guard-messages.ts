import type { GuardRequest, GuardResponse } from '@csg/shared/contract';
import { readGuardRequest, redactedMessages } from '@csg/shared/dialects';
import { type AdmitDeps, admitRequest } from './admit-request.ts';
import { noteTaint, type TaintDeps } from './agent/note-taint.ts';
import type { Principal } from './authenticate-key.ts';
import { roundMs } from './clock.ts';
import { type JudgeDeps, type Judgement, judgeTexts } from './judge-texts.ts';
import { type ReadFilesDeps, readFiles } from './read-files.ts';

export interface GuardMessagesDeps extends AdmitDeps, JudgeDeps, TaintDeps, ReadFilesDeps {
  readonly storage: AdmitDeps['storage'] & JudgeDeps['storage'] & TaintDeps['storage'];
}

/** Structured messages, without calling a model. */
export async function guardMessages(
  deps: GuardMessagesDeps,
  principal: Principal,
  request: GuardRequest,
  requestId: string,
  ipAddress?: string,
): Promise<{ response: GuardResponse; judgement: Judgement }> {
  const startedMs = deps.clock.elapsed();
  const read = readGuardRequest(request);
  const usage = await admitRequest(deps, principal, 'quota_exceeded');
  const { slots, unscanned } = read.files.length === 0 ? read : await readFiles(deps, read);
  const judgement = await judgeTexts(deps, principal, {
    slots,
    unscanned,
    direction: request.direction ?? 'input',
    route: 'guard',
    model: request.model ?? null,
    requestId,
    ipAddress,
    usage,
    destinationHost: request.destination_host,
    isMasked: true,
  });
  const { decision, verdict } = judgement;
  await noteTaint(deps, principal, request.context?.session_id, 'guard', slots, verdict.findings);
  return {
    judgement,
    response: {
      decision,
      event_id: judgement.eventId,
      confidence: judgement.confidence,
      threat_type: judgement.threatType,
      threats: [...verdict.threats],
      redacted_messages:
        decision === 'redact' ? redactedMessages(request, slots, verdict.replacements) : null,
      unscanned: [...unscanned],
      ...(verdict.exceptionIds === undefined ? {} : { exception_ids: [...verdict.exceptionIds] }),
      latency_ms: roundMs(deps.clock.elapsed() - startedMs),
    },
  };
}
