import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversationOf } from '@csg/shared/text';
import {
  averageLogOdds,
  type OpinionStore,
  withSecondOpinion,
} from '../../../apps/cloud/src/detection-workers/second-opinion.ts';
import type { Principal } from '../../../apps/cloud/src/flows/authenticate-key.ts';
import { storedOpinions } from '../../../apps/cloud/src/flows/decision/stored-opinions.ts';
import type { Finding } from '../../../shared/detection/index.ts';
import { openAccountTestEnv } from '../../support/account-test-env.ts';

const OWNER = { organizationId: 'org', deviceId: null };

function findingAt(start: number, confidence: number, rule = 'model.attack'): Finding {
  return { slot: 0, start, end: start + 10, type: 'prompt_injection', rule, confidence } as Finding;
}

/** The passages sent to the classifier, and the confidences afterwards. */
async function ask(findings: readonly Finding[], likelihood: number | null) {
  const passages: string[] = [];
  const text = Array.from({ length: 400 }, (_, n) => `word${n}`).join(' ');
  const after = await withSecondOpinion(OWNER, [{ path: '/0', role: 'user', text }], findings, {
    evaluate: async (_owner, passage) => {
      passages.push(passage);
      return likelihood;
    },
    close: async () => {},
  });
  return { passages, confidences: after.map(({ confidence }) => confidence) };
}

test('asks about the three likeliest uncertain findings of a text, and no others', async () => {
  const findings = [0.3, 0.75, 0.4, 0.5, 0.6].map((confidence, n) => findingAt(n * 20, confidence));
  const { passages, confidences } = await ask(findings, 0.99);
  assert.equal(passages.length, 3);
  const raised = (own: number) => averageLogOdds(own, 0.99);
  assert.deepEqual(confidences, [0.3, raised(0.75), 0.4, raised(0.5), raised(0.6)]);
});

test('does not change certain findings, nor findings of rules', async () => {
  const findings = [
    findingAt(0, 0.04),
    findingAt(20, 0.95),
    findingAt(40, 0.5, 'attack.override'),
    findingAt(60, 0.05),
  ];
  const { passages, confidences } = await ask(findings, 0.99);
  assert.equal(passages.length, 1);
  assert.deepEqual(confidences, [0.04, 0.95, 0.5, averageLogOdds(0.05, 0.99)]);
});

test('drops a finding kept only for a second opinion unless the opinion raises it', async () => {
  const findings = [findingAt(0, 0.1), findingAt(20, 0.5), findingAt(40, 0.1, 'attack.override')];
  assert.deepEqual((await ask(findings, null)).confidences, [0.5, 0.1], 'no opinion');
  assert.deepEqual((await ask(findings, 0.01)).confidences, [averageLogOdds(0.5, 0.01), 0.1]);
  assert.deepEqual((await ask(findings, 0.9)).confidences, [
    averageLogOdds(0.1, 0.9),
    averageLogOdds(0.5, 0.9),
    0.1,
  ]);
});

test('keeps the confidence when there is no opinion', async () => {
  assert.deepEqual((await ask([findingAt(0, 0.5)], null)).confidences, [0.5]);
});

test('weighs an opinion at a thousand to one at most', async () => {
  const { confidences } = await ask([findingAt(0, 0.5)], 1);
  assert.deepEqual(confidences, [averageLogOdds(0.5, 0.999)]);
});

test('asks about a text independently of later texts', async () => {
  const slots = ['one', 'two'].map((text) => ({ path: `/${text}`, role: 'user' as const, text }));
  const passages: string[] = [];
  const classifier = {
    evaluate: async (_owner: unknown, passage: string) => passages.push(passage) && 0.99,
    close: async () => {},
  };
  const findings = [findingAt(0, 0.3), ...[0.7, 0.6, 0.5].map((c, n) => ({ ...findingAt(n, c), slot: 1 }))];
  const after = await withSecondOpinion(OWNER, slots, findings, classifier);
  assert.equal(passages.filter((passage) => passage === 'one').length, 1);
  assert.ok(after.every(({ confidence }, n) => confidence > findings[n]!.confidence));
});

test('asks nothing twice when it has a store, not even what got no response', async (t) => {
  const { storage, addPerson } = await openAccountTestEnv(t);
  const { organizationId } = await addPerson();
  const log = { error: (_fields: object, message: string) => assert.fail(message) };
  const slots = [{ path: '/0', role: 'user' as const, text: 'A text of some words' }];
  const findings = [findingAt(0, 0.5)];
  for (const [first, later] of [
    [null, 0.99],
    [0.99, null],
  ]) {
    const { id: projectId } = await storage.projects.insert(organizationId, { name: 'P' });
    const store = storedOpinions(
      { storage, log },
      { organizationId, projectId, deviceId: null } as Principal,
      { conversation: conversationOf(slots), identity: { sessionId: null, startsAfter: null } },
    );
    let requestCount = 0;
    const ask = (likelihood: number | null, by: OpinionStore) =>
      withSecondOpinion(
        OWNER,
        slots,
        findings,
        {
          evaluate: async () => {
            requestCount++;
            return likelihood;
          },
          close: async () => {},
        },
        by,
      );
    const before = await ask(first!, store);
    assert.deepEqual(await ask(later!, store), before);
    assert.equal(requestCount, 1);
    const unreadable = { ...store, find: async () => null };
    assert.deepEqual(await ask(0.99, unreadable), findings, 'the findings of the engine stand');
    const unwritable = { find: async () => new Map(), keep: async () => null };
    assert.deepEqual(await ask(0.99, unwritable), findings);
  }
});
