import { newEventId } from '../../../apps/cloud/src/storage/ids.ts';
import type { DecisionRecord } from '../../../apps/cloud/src/storage/storage.ts';

/** What is recorded of a prompt or an answer in which nothing was found. */
export function madeDecision(
  organizationId: string,
  direction: 'input' | 'output',
  requestId: string,
): DecisionRecord {
  const atMs = Date.now();
  const id = newEventId(atMs);
  const projectId = 'proj_0123456789abcdef';
  const keyId = 'key_0123456789abcdef';
  const route = 'chat/completions';
  return {
    event: {
      id,
      organizationId,
      projectId,
      keyId,
      deviceId: null,
      requestId,
      direction,
      route,
      model: 'gpt-4o-bench',
      decision: 'allow',
      threatType: null,
      confidence: 0,
      findings: [],
      unscanned: [],
      failed: null,
      latencyUs: 40,
      atMs,
    },
    audit: {
      kind: 'policy_allow',
      actor: keyId,
      subject: id,
      atMs,
      data: { decision: 'allow', direction, project_id: projectId, route, threat_type: null },
    },
  };
}
