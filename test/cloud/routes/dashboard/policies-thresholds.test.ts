import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PolicyPreview, ThresholdProposal } from '@csg/shared/contract';
import { newEventId } from '../../../../apps/cloud/src/storage/ids.ts';
import { signInAs, type TestBrowser } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

describe('a false positive budget', () => {
  const clock = createManualClock(NOW);
  let gateway: TestGateway;
  let admin: TestBrowser;
  before(async () => {
    gateway = await startGateway({ clock });
    admin = await signInAs(gateway, 'admin');
    // 90 allowed prompts; users' texts blocked at 0.80 to 0.87, tool results at 0.99.
    const confidences = [...Array.from({ length: 8 }, (_, index) => 0.8 + index / 100), 0.99, 0.99];
    await Promise.all(Array.from({ length: 90 }, () => record('user', null)));
    await Promise.all(
      confidences.map((confidence, index) => record(index < 8 ? 'user' : 'tool_result', confidence)),
    );
  });
  after(() => gateway.close());

  async function record(role: 'user' | 'tool_result', confidence: number | null): Promise<void> {
    const { organizationId, projectId } = gateway.account;
    const id = newEventId(NOW - 60_000);
    const type = 'prompt_injection' as const;
    const decision = confidence === null ? ('allow' as const) : ('block' as const);
    const place = { rule: 'attack.test', type, path: '', role, start: 0, end: 4 };
    await gateway.storage.decisions.record({
      event: {
        ...{ id, organizationId, projectId, keyId: 'key_1', deviceId: null, requestId: null, decision },
        ...{ direction: 'input', route: 'guard', model: null, unscanned: [], failed: null, latencyUs: 10 },
        ...{ threatType: confidence === null ? null : type, confidence: confidence ?? 0, atMs: NOW - 60_000 },
        findings: confidence === null ? [] : [{ ...place, confidence }],
      },
      audit: { kind: 'policy_allow', actor: 'key_1', subject: id, atMs: NOW - 60_000, data: {} },
    });
  }
  const propose = async (query: string) =>
    (await admin.call<ThresholdProposal>('GET', `/policies/thresholds?${query}`)).body;

  test('proposes the lowest threshold for each role above it, equal to a count by hand', async () => {
    const { prompts, roles, estimated } = await propose('budget=0.03');
    assert.deepEqual([prompts, estimated], [100, false]);
    const [user, tool] = roles;
    assert.deepEqual(
      [user!.role, user!.acted, user!.proposed_threshold, user!.acted_after],
      ['user', 8, 0.8401, 3],
      '0.85, 0.86 and 0.87 are left',
    );
    assert.equal(
      user!.histogram.reduce((sum, count) => sum + count, 0),
      8,
    );
    assert.deepEqual([tool!.role, tool!.acted, tool!.proposed_threshold], ['tool', 2, null]);
  });

  test('drafts a policy that does what the proposal said', async () => {
    const [user] = (await propose('budget=0.03')).roles;
    const policy = {
      ...{ name: 'Threshold', action: 'monitor', threat_types: ['prompt_injection'] },
      conditions: { roles: ['user'], directions: ['input'], below_confidence: user!.proposed_threshold },
    };
    const preview = await admin.call<PolicyPreview>('POST', '/policies/preview', { policy });
    const { now, would } = preview.body;
    assert.deepEqual([now.block, would.block], [10, 5]);
  });

  test('is a 422 if it is invalid, and proposes nothing for an unknown project', async () => {
    for (const budget of ['2', '-1', 'x', '0.0000001'])
      assert.equal((await admin.call('GET', `/policies/thresholds?budget=${budget}`)).status, 422);
    assert.deepEqual((await propose('project_id=proj_none')).roles, []);
  });
});
