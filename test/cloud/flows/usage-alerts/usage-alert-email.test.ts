import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageAlertEmail } from '../../../../apps/cloud/src/flows/usage-alerts/usage-alert-email.ts';

const PLAN_LINK = 'https://gateway.example.com/dashboard/plan';

function email(
  alert: Parameters<typeof usageAlertEmail>[0],
  change: { isHard?: boolean; overage?: number; amount_usd?: number } = {},
) {
  const { isHard = false, overage = 0, amount_usd = 0 } = change;
  const data = {
    ...{ current_usage: 12_345, monthly_limit: 10_000, percentage: 123.45, plan: 'scale' as const },
    ...{ overage, amount_usd },
  };
  return usageAlertEmail(alert, data, { month: '2026-11', isHard, planLink: PLAN_LINK });
}

/** What follows: the third of the paragraphs. */
const consequence = (...input: Parameters<typeof email>) => email(...input).text.split('\n\n')[1];

test('the email names the threshold, the figures of the month, and where the plan is', () => {
  for (const alert of ['80', '90', '100'] as const) {
    const { kind, subject, text } = email(alert);
    assert.equal(kind, 'usage_alert');
    assert.match(subject, new RegExp(`^${alert}% .* 10,000 `));
    const [figures, , link] = text.split('\n\n');
    assert.match(figures!, /2026-11 .* 12,345 .* 10,000, .* scale/);
    assert.ok(link!.endsWith(PLAN_LINK));
  }
  const { subject } = email('overage');
  assert.match(subject, / 10,000 /);
  assert.doesNotMatch(subject, /%/);
});

test('requests above the quota are counted in the right number, with their price only if there is one', () => {
  assert.match(consequence('overage', { overage: 1 })!, /^1 request above/);
  assert.match(consequence('overage', { overage: 2 })!, /^2 requests above/);
  assert.match(consequence('overage', { overage: 2_345 })!, /^2,345 requests above/);
  assert.doesNotMatch(consequence('overage', { overage: 2 })!, /dollar/);
  assert.match(consequence('overage', { overage: 2, amount_usd: 0.01 })!, / 0\.01 US dollars/);
  assert.match(consequence('overage', { overage: 2, amount_usd: 1_234.5 })!, / 1234\.50 US dollars/);
});

test('what happens next differs before, at and after a hard quota, and for a soft quota it does not', () => {
  const soft = (['80', '90', '100'] as const).map((alert) => consequence(alert));
  assert.equal(new Set(soft).size, 1);
  const hard = (['80', '90', '100'] as const).map((alert) => consequence(alert, { isHard: true }));
  assert.equal(hard[0], hard[1]);
  const overage = consequence('overage', { isHard: true, overage: 3 });
  assert.equal(overage, consequence('overage', { overage: 3 }));
  assert.equal(new Set([soft[0], hard[0], hard[2], overage]).size, 4);
  assert.match(hard[2]!, /are rejected until/);
  assert.match(hard[0]!, /^Once /);
  assert.match(soft[0]!, /are allowed/);
});
