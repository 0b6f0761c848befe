import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyDetail } from '@csg/shared/contract';
import {
  formValuesOf,
  policyOf,
} from '../../../../apps/cloud/dashboard/src/pages/policies/policy-form-values.ts';

const POLICY: PolicyDetail = {
  id: 'pol_1',
  name: 'Cards',
  description: null,
  action: 'redact',
  threat_types: ['pii_leak'],
  priority: 5,
  scope: 'project',
  project_id: 'proj_1',
  is_active: true,
  from_preset: false,
  mode: 'enforce',
  conditions: {
    hosts: ['*.openai.com'],
    schedule: { time_zone: 'UTC', windows: [{ days: ['mon'], from: '08:00', to: '17:00' }] },
  },
  patterns: [{ name: 'Claim', pattern: 'HC-\\d+' }],
  flows: [
    { from: ['web_page'], values: ['recipient'], needs_approval: true },
    { effects: ['delete'], max_calls: 5 },
  ],
  flow_texts: ['Recipients from web pages reach tools with effects on others only after approval.'],
  version: 3,
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
};

test('a policy goes through the form and back unchanged', () => {
  const { conditions, patterns, action, mode, threat_types, flows } = policyOf(formValuesOf(POLICY, 'UTC'));
  assert.deepEqual(flows, POLICY.flows);
  assert.deepEqual(conditions, POLICY.conditions);
  assert.deepEqual(patterns, POLICY.patterns);
  assert.deepEqual([action, mode, threat_types], ['redact', 'enforce', ['pii_leak']]);
});

test('a new policy starts as a dry run, and omits empty conditions', () => {
  const values = formValuesOf(undefined, 'Europe/Berlin');
  const policy = policyOf({ ...values, patterns: [{ name: 'x', pattern: '' }] });
  assert.equal(policy.mode, 'monitor');
  assert.deepEqual(policy.conditions, {});
  assert.deepEqual(policy.patterns, []);
});
