import type { DecidedBy } from '@csg/shared/contract';
import type { RulesetInput } from '@csg/shared/detection';
import type { PacedTurns } from '../../fairness/paced-turns.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Principal } from '../authenticate-key.ts';
import { decisionNotices } from './decision-notices.ts';
import { eventFindings } from './event-findings.ts';
import { withHostTag } from './host-tag.ts';
import type { DecisionToRecord } from './subject.ts';

const UNREADABLE =
  'The scan could not run, and the fail_mode of the project blocks unscanned texts (closed).';

/** Records the event and its audit row with everything that counts with them: positions and rules, never text. */
export async function recordDecision(
  { storage, pacedTurns }: { readonly storage: Pick<Storage, 'decisions'>; readonly pacedTurns: PacedTurns },
  principal: Principal,
  made: DecisionToRecord,
): Promise<void> {
  const { recorded, direction, texts, verdict, scan, eventId, atMs } = made;
  const { decision, confidence, threatType } = verdict;
  const { labels } = principal;
  const tags = withHostTag(labels?.tags ?? [], recorded.host);
  const failMode = scan.kind === 'failed' ? scan.failMode : null;
  const notices =
    principal.webhooks.length === 0
      ? {}
      : await pacedTurns.run(
          principal,
          decisionNotices(principal, made, failMode === null ? null : UNREADABLE),
        );
  await storage.decisions.record({
    ...(recorded.usage ? { usage: recorded.usage } : {}),
    call: recorded.call,
    ...(labels?.isNamed === true && { isSessionNamed: true }),
    ...notices,
    event: {
      id: eventId,
      organizationId: principal.organizationId,
      projectId: principal.projectId,
      keyId: principal.keyId,
      deviceId: principal.deviceId,
      requestId: recorded.requestId,
      direction,
      route: recorded.route,
      model: recorded.model,
      decision,
      threatType,
      confidence,
      findings: eventFindings(texts.conversation.slots, verdict, made.textKeyOf),
      unscanned: texts.unread.map(({ index, reason }) => ({ at: index, reason })),
      failed: failMode === null ? null : { reason: nameOf(made.cause), failMode },
      latencyUs: Math.round(made.scanMs * 1000),
      atMs,
      ...(labels !== undefined && { session: labels.session }),
      ...(tags.length > 0 && { tags }),
      decidedBy: verdict.decidedBy ?? decidedByPreset(principal.ruleset.input),
    },
    audit: {
      kind: decision === 'block' ? 'policy_block' : 'policy_allow',
      actor: principal.deviceId ?? principal.keyId,
      subject: eventId,
      atMs,
      // Sorted by name, as stored; storage fills in the digest of the event at its place.
      data: {
        decision,
        direction,
        event_sha256: null,
        project_id: principal.projectId,
        route: recorded.route,
        threat_type: threatType,
        ...(verdict.exceptionIds === undefined ? {} : { exception_ids: [...verdict.exceptionIds] }),
        ...(failMode === null ? {} : { scan_failed: true, fail_mode: failMode }),
      },
    },
  });
}

const nameOf = (cause: unknown): string => (cause instanceof Error ? cause.name : 'Error');

/** Names the preset as the deciding rule, with use case and strictness at that time. */
export function decidedByPreset({
  useCase,
  strictness,
}: Pick<RulesetInput, 'useCase' | 'strictness'>): DecidedBy {
  return { kind: 'preset', id: `${useCase}:${strictness}` };
}
