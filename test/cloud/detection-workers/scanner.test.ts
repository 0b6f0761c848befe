import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createScanner } from '../../../apps/cloud/src/detection-workers/scanner.ts';
import { countedThreads } from '../../support/counted-threads.ts';

const OWNER = { organizationId: 'org', deviceId: null };
const PRESET = { useCase: 'default', strictness: 'moderate', policies: [] } as const;
const slot = (text: string) => [{ path: '/content', role: 'user' as const, text }];

describe('the scanner', () => {
  const { threadFile, sent } = countedThreads();
  const scanner = createScanner({ workers: 1, deadlineMs: 20_000, threadFile });
  const inline = createScanner({ workers: 0, deadlineMs: 20_000 });
  after(() => Promise.all([scanner.close(), inline.close()]));

  test('finds the same in a worker as on the event loop', async () => {
    const text = `${'An ordinary sentence about the weather. '.repeat(800)} My SSN is 123-45-6789, ada@example.com.`;
    const ruleset = scanner.ruleset(PRESET);
    await scanner.warmUp();
    const before = sent();
    const away = await scanner.scan(OWNER, slot(text), ruleset, 'input');
    assert.equal(sent(), before + 1, 'long texts leave the event loop');
    const here = await inline.scan(OWNER, slot(text), ruleset, 'input');
    assert.deepEqual(away, here);
    assert.ok(here.length >= 2);
    const redacted = scanner.redact(OWNER, text, ['ssn']);
    assert.deepEqual(await redacted, await inline.redact(OWNER, text, ['ssn']));
  });

  test('starts no thread for the first long text after warming up', async () => {
    const threads = countedThreads();
    const warm = createScanner({ workers: 2, deadlineMs: 60_000, threadFile: threads.threadFile });
    try {
      await warm.warmUp();
      const before = threads.sent();
      assert.ok(before >= 2, 'both are ready');
      const text = `${'An ordinary sentence about the weather. '.repeat(800)} My SSN is 123-45-6789.`;
      const found = await warm.scan(OWNER, slot(text), warm.ruleset(PRESET), 'input');
      assert.deepEqual(found, await inline.scan(OWNER, slot(text), inline.ruleset(PRESET), 'input'));
      assert.equal(threads.sent(), before + 1, 'the result, and of no other thread that it is ready');
    } finally {
      await warm.close();
    }
  });

  test('sends many short slots to a worker as it does one long text', async () => {
    const slots = Array.from({ length: 1_000 }, (_, n) => ({
      path: `/messages/${n}/content`,
      role: 'user' as const,
      text: 'An ordinary sentence about the weather.',
    }));
    await scanner.warmUp();
    const before = sent();
    await scanner.scan(OWNER, slots.slice(0, 10), scanner.ruleset(PRESET), 'input');
    assert.equal(sent(), before);
    assert.deepEqual(await scanner.scan(OWNER, slots, scanner.ruleset(PRESET), 'input'), []);
    assert.equal(sent(), before + 1);
  });

  test('compiles a ruleset once', () => {
    const first = scanner.ruleset(PRESET);
    assert.equal(scanner.ruleset({ ...PRESET }), first);
    assert.notEqual(scanner.ruleset({ ...PRESET, strictness: 'strict' }), first);
  });

  test('blames a text whose own work passes the deadline, and scans the next one', async () => {
    const threadFile = new URL('../../support/slow-scan-thread.ts', import.meta.url);
    const hasty = createScanner({ workers: 1, deadlineMs: 10, threadFile });
    const ruleset = hasty.ruleset(PRESET);
    const late = hasty.scan(OWNER, slot('word '.repeat(20_000)), ruleset, 'input');
    await assert.rejects(async () => late, { name: 'UnscannableTextError', reason: 'too_costly' });
    await assert.rejects(hasty.redact(OWNER, 'word '.repeat(20_000), ['ssn']), { reason: 'too_costly' });
    assert.deepEqual(await hasty.scan(OWNER, slot('A short text.'), ruleset, 'input'), []);
    await hasty.close();
  });

  test('blames no text for an engine that cannot start', async () => {
    const threadFile = new URL('../../support/broken-scan-thread.ts', import.meta.url);
    const broken = createScanner({ workers: 1, deadlineMs: 20_000, threadFile });
    for (const _again of [1, 2]) {
      await assert.rejects(
        broken.scan(OWNER, slot('word '.repeat(20_000)), broken.ruleset(PRESET), 'input'),
        { name: 'Error', message: 'The weights of the model are not readable.' },
      );
    }
    await broken.close();
  });

  test('blames a text on which the engine fails, on the event loop and in a thread', async () => {
    const failing = { ...scanner.ruleset(PRESET) };
    const bad = { path: '/content', role: 'user' as const };
    // JSON cannot produce such a text: the engine fails on it as on a bug of its own.
    const texts = [{ length: 100 }, { length: 30_000 }].map((text) => [{ ...bad, text: text as string }]);
    for (const slots of texts) {
      await assert.rejects(scanner.scan(OWNER, slots, failing, 'input'), {
        name: 'UnscannableTextError',
        reason: 'failed',
      });
    }
  });

  test('never runs a customer’s costly pattern on the event loop', async () => {
    const pattern = '(a|b)*a(a|b){300}';
    const rules = { patterns: [{ name: 'x', pattern }] };
    const policies = [{ id: 'p', action: 'block', threatTypes: [], rules }] as const;
    const ruleset = scanner.ruleset({ ...PRESET, policies });
    const before = sent();
    const found = await scanner.scan(OWNER, slot('ab'.repeat(2_000)), ruleset, 'input');
    assert.ok(sent() > before);
    assert.ok(found.some(({ policyId }) => policyId === 'p'));
  });
});
