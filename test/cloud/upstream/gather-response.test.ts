import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { Pool } from 'undici';
import {
  type GatherBudget,
  GatherError,
  ResponseGatherer,
} from '../../../apps/cloud/src/upstream/gather-response.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

let testProvider: TestProvider;
let pool: Pool;
before(async () => {
  testProvider = await startTestProvider();
  pool = new Pool(testProvider.url);
});
afterEach(() => testProvider.reset());
after(async () => {
  await pool.destroy();
  await testProvider.close();
});

const MIB = 1024 * 1024;
function gather(budget: GatherBudget, maxBytes = MIB): ResponseGatherer {
  const gatherer = new ResponseGatherer(maxBytes, budget);
  pool.dispatch({ path: '/v1/chat/completions', method: 'POST', body: '{}' }, gatherer);
  return gatherer;
}

describe('ResponseGatherer', () => {
  it('gathers a body of many pieces completely, and releases its share of the memory', async () => {
    const pieces = Array.from({ length: 300 }, (_, i) => Buffer.alloc(1_000, i));
    testProvider.answer({ status: 201, headers: { 'x-a': 'b' }, body: pieces });
    const budget = { used: 0, max: MIB };
    const answer = await gather(budget).response;
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['x-a'], 'b');
    assert.ok(answer.body.equals(Buffer.concat(pieces)));
    assert.equal(budget.used, 0);
  });

  it('gathers an empty body', async () => {
    await testProvider.fault('empty');
    assert.equal((await gather({ used: 0, max: MIB }).response).body.length, 0);
  });

  it('accepts a body of exactly the limit, and not a byte more', async () => {
    testProvider.answer({ body: [Buffer.alloc(600), Buffer.alloc(400)] });
    assert.equal((await gather({ used: 0, max: MIB }, 1_000).response).body.length, 1_000);
    await assert.rejects(gather({ used: 0, max: MIB }, 999).response, { reason: 'too_large' });
  });

  for (const [fault, due] of [
    ['reset', 'reset'],
    ['half', 'truncated'],
    ['huge', 'too_large'],
    ['huge-told', 'too_large'],
  ] as const) {
    it(`releases the memory when the provider fails (${fault})`, async () => {
      await testProvider.fault(fault);
      const budget = { used: 0, max: 2 * MIB };
      await assert.rejects(gather(budget).response, (error: unknown) => {
        return error instanceof GatherError && error.reason === due;
      });
      assert.equal(budget.used, 0);
    });
  }

  it('shares one budget: a response that exceeds it is stopped, the others continue', async () => {
    const budget = { used: MIB - 1_000, max: MIB };
    testProvider.answer({ body: Buffer.alloc(1_001) });
    await assert.rejects(gather(budget).response, { reason: 'busy' });
    testProvider.answer({ body: Buffer.alloc(1_000) });
    assert.equal((await gather(budget).response).body.length, 1_000);
    assert.equal(budget.used, MIB - 1_000);
  });

  it('is stopped once, with the first reason', async () => {
    await testProvider.fault('stall');
    const arrived = testProvider.nextRequest();
    const gatherer = gather({ used: 0, max: MIB });
    const request = await arrived;
    gatherer.stop(new Error('first'));
    gatherer.stop(new Error('second'));
    await assert.rejects(gatherer.response, { message: 'first' });
    assert.equal(await request.ended, 'aborted');
  });
});
