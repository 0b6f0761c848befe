import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS } from '../../../shared/contract/errors.ts';

/** The documented statuses that clients rely on, repeated here so that a change of the table is noticed. */
const DOCUMENTED: Readonly<Record<string, number>> = {
  missing_api_key: 401,
  invalid_api_key: 401,
  unauthorized: 401,
  disabled_api_key: 401,
  expired_api_key: 401,
  request_blocked: 403,
  response_blocked: 403,
  quota_exceeded: 403,
  rate_limit_exceeded: 429,
  monthly_quota_exceeded: 429,
  spending_limit_exceeded: 429,
  subscription_inactive: 429,
  bot_detected: 429,
  detection_unavailable: 503,
  engine_unavailable: 503,
  invalid_preset: 400,
  invalid_request: 400,
};

test('documented errors have the documented status', () => {
  const rows: Readonly<Record<string, { readonly status: number }>> = ERRORS;
  const found = Object.keys(DOCUMENTED).map((code) => [code, rows[code]?.status]);
  assert.deepEqual(Object.fromEntries(found), DOCUMENTED);
});
