import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScopeOf } from '../../../apps/desktop/src/cloud-client/create-text-memory.ts';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import type { DevicePolicy } from '../../../apps/desktop/src/inspect/device-policy.ts';
import { testPolicy } from '../../support/desktop/test-stack.ts';

const at = (iso: string) => ({ host: 'api.openai.com', model: 'm', atMs: Date.parse(iso) });
const NOON = at('2026-03-04T12:00:00Z');

test('another service, version or mode gives another scope; the same ones give the same', () => {
  let service = 'https://a.example';
  const scopeOf = createScopeOf();
  const scope = (part: Partial<DevicePolicy> = {}) => scopeOf(service, compilePolicy(testPolicy(part)), NOON);
  const first = scope();
  assert.equal(scope(), first);
  assert.notEqual(scope({ policyVersion: 'v2' }), first);
  assert.notEqual(scope({ mode: 'monitor' }), first);
  service = 'https://b.example';
  assert.notEqual(scope(), first);
});

test('a policy with conditions gives another scope at another time or for another model', () => {
  const scopeOf = createScopeOf();
  const policy = (conditions: object) =>
    compilePolicy(
      testPolicy({
        ruleset: {
          useCase: 'default',
          strictness: 'moderate',
          policies: [
            { id: 'pol_1', action: 'block', threatTypes: ['pii_leak'], rules: { conditions } } as never,
          ],
        },
      }),
    );
  const days = ['mon', 'tue', 'wed', 'thu', 'fri'];
  const schedule = { time_zone: 'UTC', windows: [{ days, from: '09:00', to: '17:00' }] };
  const hours = policy({ schedule });
  const inside = scopeOf('', hours, NOON);
  assert.equal(scopeOf('', hours, at('2026-03-04T13:00:00Z')), inside);
  assert.notEqual(scopeOf('', hours, at('2026-03-04T20:00:00Z')), inside);
  const models = policy({ models: ['m'] });
  assert.notEqual(scopeOf('', models, NOON), scopeOf('', models, { ...NOON, model: 'other' }));
});
