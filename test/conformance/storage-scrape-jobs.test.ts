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

  const insert = (urls: readonly string[], { organizationId, projectId, keyId } = testEnv) =>
    storage.scrapeJobs.insert(organizationId, {
      projectId,
      keyId,
      options: { renderJs: false, extractText: true },
      urls,
    });

  test('every page is claimed by one caller, and by another once its lease has expired', async () => {
    const urls = Array.from({ length: 40 }, (_, i) => `https://host-${i}.example.com/`);
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

  test('of one organization and host one page is claimed at a time, batches in turns', async () => {
    const pages = (host: string, count: number) =>
      Array.from({ length: count }, (_, i) => `https://${host}/${i}`);
    const slow = await insert(pages('slow.example', 30));
    const mixed = await insert([...pages('a.example', 2), 'https://b.example/', ...pages('slow.example', 2)]);
    const theirs = await insert(pages('slow.example', 2), other);
    const claim = async (who: Storage) =>
      (await who.scrapeJobs.claim(8, LEASE)).map((page) => ({
        ...page,
        at: `${page.job.id} ${page.number}`,
      }));
    const first = (await Promise.all([claim(storage), claim(second)])).flat();
    const expected = [`${mixed.id} 0`, `${mixed.id} 2`, `${theirs.id} 0`];
    const ofSlow = first.filter(({ at }) => at === `${slow.id} 0` || at === `${mixed.id} 3`);
    assert.deepEqual(
      first
        .map(({ at }) => at)
        .filter((at) => expected.includes(at))
        .sort(),
      expected.sort(),
    );
    assert.deepEqual([first.length, ofSlow.length], [4, 1]);
    assert.deepEqual(await claim(second), [], 'every host is busy');
    await storage.scrapeJobs.finish(first.find(({ at }) => at === `${mixed.id} 0`)!, '{}');
    assert.deepEqual(
      (await claim(second)).map(({ at }) => at),
      [`${mixed.id} 1`],
    );
    nowMs += LEASE;
    assert.equal((await claim(second)).length, 4, 'the leases have expired');
    await storage.scrapeJobs.prune(nowMs + 1);
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
