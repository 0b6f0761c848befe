import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import { createTestEnv, NOON, onEveryEngine, type TestEnv } from './storage-engines.ts';

const LEASE = 60_000;

onEveryEngine('Scrape jobs and bound repositories', (engine) => {
  let storage: Storage;
  let second: Storage;
  let testEnv: TestEnv;
  let other: TestEnv;
  let nowMs = NOON;
  before(async () => {
    storage = await engine.open({ now: () => nowMs });
    second = await engine.open({ now: () => nowMs });
    testEnv = await createTestEnv(storage);
    other = await createTestEnv(storage);
  });

  const insert = (urls: readonly string[]) =>
    storage.scrapeJobs.insert(testEnv.organizationId, {
      projectId: testEnv.projectId,
      keyId: testEnv.keyId,
      options: { renderJs: false, extractText: true },
      urls,
    });

  test('every page is claimed by one caller, and by another once its lease has expired', async () => {
    const urls = Array.from({ length: 40 }, (_, i) => `https://example.com/${i}`);
    const job = await insert(urls);
    assert.match(job.id, /^job_/);
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 ? storage : second).scrapeJobs.claim(5, LEASE)),
    );
    const claimed = claims.flat();
    assert.equal(new Set(claimed.map(({ number }) => number)).size, claimed.length, 'claimed twice');
    while (claimed.length < urls.length) claimed.push(...(await storage.scrapeJobs.claim(5, LEASE)));
    assert.deepEqual(await storage.scrapeJobs.claim(5, LEASE), []);
    const [first, late] = claimed;
    assert.deepEqual([first!.job, first!.attempts], [job, 1]);
    assert.equal(await storage.scrapeJobs.finish(first!, '{"a":1}'), true);
    assert.equal(await storage.scrapeJobs.finish(first!, '{"a":2}'), false, 'done already');
    nowMs += LEASE;
    const again = await second.scrapeJobs.claim(100, LEASE);
    assert.equal(again.length, urls.length - 1);
    assert.equal(again[0]!.attempts, 2);
    assert.equal(await storage.scrapeJobs.finish(late!, '{}'), false, 'the lease went to another worker');
    const found = await storage.scrapeJobs.get(testEnv.organizationId, job.id);
    assert.deepEqual(
      found?.pages.map(({ url }) => url),
      urls,
    );
    assert.deepEqual(
      found?.pages.filter(({ result }) => result !== null).map(({ result }) => result),
      ['{"a":1}'],
    );
    assert.equal(await storage.scrapeJobs.get(other.organizationId, job.id), null);
    await storage.scrapeJobs.prune(nowMs);
    assert.equal(await storage.scrapeJobs.get(testEnv.organizationId, job.id), null);
  });

  test('a repository belongs to one organization, whatever the case of its name', async () => {
    const { codeRepositories } = storage;
    const bound = await codeRepositories.bind(testEnv.organizationId, testEnv.projectId, 'Acme/Shop');
    assert.deepEqual(bound, {
      fullName: 'acme/shop',
      organizationId: testEnv.organizationId,
      projectId: testEnv.projectId,
    });
    assert.deepEqual(await codeRepositories.find('ACME/shop'), bound);
    assert.equal(await codeRepositories.bind(other.organizationId, other.projectId, 'acme/shop'), null);
    assert.deepEqual(await codeRepositories.list(testEnv.organizationId), [bound]);
    assert.equal(await codeRepositories.unbind(other.organizationId, 'acme/shop'), false);
    assert.equal(await codeRepositories.unbind(testEnv.organizationId, 'Acme/Shop'), true);
    assert.equal(await codeRepositories.find('acme/shop'), null);
  });

  test('a delivery starts once, and again only if no worker finished it', async () => {
    const begin = (id: string) => storage.codeRepositories.begin(id, LEASE);
    const raced = await Promise.all(Array.from({ length: 5 }, () => begin('one')));
    assert.equal(raced.filter(Boolean).length, 1);
    nowMs += LEASE;
    assert.equal(await begin('one'), true, 'no worker finished it');
    await storage.codeRepositories.finish('one');
    nowMs += LEASE;
    assert.equal(await begin('one'), false);
    await storage.codeRepositories.prune(nowMs);
    assert.equal(await begin('one'), true, 'forgotten');
  });
});
