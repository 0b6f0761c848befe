import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { UnscannableTextError } from '@csg/shared/detection';
import { attributeFailure, createScanLanes } from '../../../apps/cloud/src/detection-workers/scan-lanes.ts';
import type { ScanTask } from '../../../apps/cloud/src/detection-workers/scan-worker.ts';
import { until } from '../../support/until.ts';

const FLOOD = { organizationId: 'flood', deviceId: null };
const OTHER = { organizationId: 'other', deviceId: null };
const redact = (text: string): ScanTask => ({ name: 'redact', job: { text, types: ['email'] } });
const PLAIN = redact('A plain text.');
const LIGHT = redact('Mail ada@example.com');

describe('scan lanes', () => {
  const lanes = createScanLanes({ threads: 1, deadlineMs: 20_000 });
  after(() => lanes.close());

  test('a small text of another organization is served before the second of six heavy ones ends', async () => {
    // A heavy text takes until the test releases it: the second one ends after all of the small ones.
    const file = new URL('../../fixtures/threads/waits-for-release.mjs', import.meta.url);
    const held = createScanLanes({ threads: 1, deadlineMs: 20_000, file });
    const gate = new BroadcastChannel('release');
    let ended = 0;
    const flood = Array.from({ length: 6 }, async () => {
      await held.run(FLOOD, 10_000_000, redact('heavy'), PLAIN);
      ended++;
    });
    const isAllEnded = Promise.all(flood);
    const release = (count: number) =>
      until(
        async () => {
          gate.postMessage(count);
          return ended;
        },
        (done) => done === count,
      );
    try {
      await release(1);
      for (let n = 0; n < 3; n++) await held.run(OTHER, 25_000, LIGHT, PLAIN);
      assert.equal(ended, 1);
      await release(flood.length);
      await isAllEnded;
    } finally {
      gate.close();
      await held.close();
    }
  });

  test('organizations take turns within one lane', async () => {
    const order: string[] = [];
    const run = async (owner: typeof FLOOD, name: string) => {
      await lanes.run(owner, 25_000, LIGHT, PLAIN);
      order.push(name);
    };
    const all = Array.from({ length: 10 }, () => run(FLOOD, 'f'));
    all.push(run(OTHER, 'o'), run(OTHER, 'o'));
    await Promise.all(all);
    assert.equal(order.join(''), 'fofofffffffff'.slice(0, 12));
  });

  test('a thread that aborted a text serves the next one', async () => {
    const hasty = createScanLanes({ threads: 1, deadlineMs: 250 });
    // Takes many times as long as the deadline, which is many times what the next text takes.
    const endless = redact('one two three 4111 1111 1111 1112 '.repeat(400_000));
    await assert.rejects(hasty.run(FLOOD, 25_000, endless, PLAIN), { name: 'UnscannableTextError' });
    assert.deepEqual(await hasty.run(OTHER, 25_000, LIGHT, PLAIN), {
      redacted: 'Mail [EMAIL]',
      found: ['email'],
      count: 1,
    });
    await hasty.close();
  });
});

describe('the blame for a failed scan', () => {
  const bug = new TypeError('a bug');
  test('falls on the text when a plain text can be scanned', async () => {
    await assert.rejects(
      attributeFailure(bug, () => []),
      { name: 'UnscannableTextError', reason: 'failed', cause: bug },
    );
  });

  test('falls on the engine when a plain text cannot be scanned either', async () => {
    await assert.rejects(
      attributeFailure(bug, () => Promise.reject(new Error('neither'))),
      bug,
    );
  });

  test('stays where the error already puts it', async () => {
    for (const cause of [new UnscannableTextError('too_costly'), new CodedError('service_unavailable')]) {
      await assert.rejects(
        attributeFailure(cause, () => assert.fail('no plain text is tried')),
        cause,
      );
    }
  });
});
