import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DashboardToolReview } from '@csg/shared/contract';
import { type Person, signInAs, type TestBrowser } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

describe('tool calls that wait for a person', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  let admin: TestBrowser & Person;
  before(async () => {
    gateway = await startGateway({ clock });
    admin = await signInAs(gateway, 'admin');
  });
  after(() => gateway?.close());

  const validate = async (amount: number): Promise<Record<string, unknown>> =>
    (await (
      await gateway.call('POST', '/api/v1/agent/validate-tool', {
        body: {
          agent_id: 'refunds',
          tool_name: 'refunds.create',
          arguments: { amount, customer: { id: 'CUS-1042' } },
          review_required_tools: ['refunds.create'],
        },
      })
    ).json()) as Record<string, unknown>;
  const reviews = async () => (await admin.call<DashboardToolReview[]>('GET', '/tool-reviews')).body;

  test('show their arguments', async () => {
    const { review_id: id } = await validate(40);
    const [review] = await reviews();
    assert.deepEqual([review?.id, review?.arguments], [id, { amount: 40, customer: { id: 'CUS-1042' } }]);
    const decided = await admin.call<DashboardToolReview>('POST', `/tool-reviews/${id}/decision`, {
      decision: 'approve',
    });
    assert.deepEqual(decided.body.arguments, review?.arguments);
    assert.equal((await validate(40))['allowed'], true);
  });

  test('show no arguments in a project with zero retention', async () => {
    const { organizationId, projectId } = gateway.account;
    await gateway.storage.projects.update(organizationId, projectId, { zeroRetention: true });
    clock.advance(1_000);
    const { review_id: id } = await validate(50);
    const review = (await reviews()).find((one) => one.id === id);
    assert.deepEqual([review?.tool_name, review?.arguments], ['refunds.create', null]);
  });
});
