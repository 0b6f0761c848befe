import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ERRORS, type ErrorCode } from '@csg/shared/contract';
import { ACCESS_ERRORS } from './error-rows-access.ts';
import { ANSWER_ERRORS } from './error-rows-answers.ts';
import { LIMIT_ERRORS } from './error-rows-limits.ts';
import { PEOPLE_ERRORS } from './error-rows-people.ts';
import { REQUEST_ERRORS } from './error-rows-requests.ts';
import { type Json, type Rows, SCAN, startErrorTestEnv, type TestEnv } from './error-test-env.ts';

const TABLE: Readonly<Record<ErrorCode, Rows>> = {
  ...ACCESS_ERRORS,
  ...LIMIT_ERRORS,
  ...REQUEST_ERRORS,
  ...ANSWER_ERRORS,
  ...PEOPLE_ERRORS,
};

describe('every row of the error table can be provoked', () => {
  let testEnv: TestEnv;
  before(async () => {
    testEnv = await startErrorTestEnv();
  });
  after(() => testEnv.close());

  for (const [code, rows] of Object.entries(TABLE) as [ErrorCode, Rows][]) {
    if (typeof rows === 'string') continue;
    for (const [i, row] of rows.entries()) {
      test(`${code}${rows.length > 1 ? ` (${i + 1} of ${rows.length})` : ''}`, async () => {
        await testEnv.testProvider.reset();
        const answer = await row.provoke(testEnv);
        const { status, headers, error } = answer;
        const shown = `${status} ${JSON.stringify(error)}`;
        assert.equal(error['code'], code, shown);
        assert.equal(status, row.status ?? ERRORS[code].status, shown);
        assert.equal(error['type'], row.type ?? ERRORS[code].type, shown);
        assert.ok(String(error['message']).length > 10, shown);
        const fields = Object.keys(error).filter((name) => !['message', 'type', 'code'].includes(name));
        assert.deepEqual(fields.sort(), [...(row.fields ?? [])].sort(), shown);
        assert.match(headers.get('x-request-id') ?? '', /^req_/, shown);
        if (code !== 'quota_exceeded' && error['retry_after'] !== undefined) {
          assert.equal(headers.get('retry-after'), String(error['retry_after']), shown);
        }
        row.hold?.(answer, testEnv);
      });
    }
  }

  test('a typed body that does not match gets a 422 with `detail` and without `error`', async () => {
    const response = await testEnv.gateway.call('POST', SCAN, { body: { content: 'x', type: 'essay' } });
    const body = (await response.json()) as { detail: Json[] };
    assert.equal(response.status, 422);
    assert.deepEqual(Object.keys(body), ['detail']);
    assert.deepEqual(body.detail[0]?.['loc'], ['body', 'type']);
    assert.deepEqual([typeof body.detail[0]?.['msg'], typeof body.detail[0]?.['type']], ['string', 'string']);
    assert.equal(response.headers.get('x-error-code'), 'validation_error');
    assert.match(response.headers.get('x-request-id') ?? '', /^req_/);
  });

  test('a project that fails open allows a text that could not be scanned, and records it', async () => {
    const broken = await testEnv.other({ engine: 'broken' });
    const body = { content: 'The museum opens at nine. '.repeat(3_800) };
    const response = await broken.call('POST', SCAN, { body });
    assert.equal(response.status, 200);
    const id = response.headers.get('x-service-event-id') as string;
    const event = await broken.storage.events.get(broken.account.organizationId, id);
    assert.equal(event?.failed?.failMode, 'open');
  });
});
