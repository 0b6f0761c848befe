import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  averageLogOdds,
  withSecondOpinion,
} from '../../../apps/cloud/src/detection-workers/second-opinion.ts';
import type { Finding } from '../../../shared/detection/index.ts';

const OWNER = { organizationId: 'org', deviceId: null };

function findingAt(start: number, confidence: number, rule = 'model.attack'): Finding {
  return { slot: 0, start, end: start + 10, type: 'prompt_injection', rule, confidence } as Finding;
}

/** What is asked, and the findings after it. */
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

test('the three likeliest uncertain findings of a scan are asked about, and no others', async () => {
  const findings = [0.3, 0.75, 0.4, 0.5, 0.6].map((confidence, n) => findingAt(n * 20, confidence));
  const { passages, confidences } = await ask(findings, 0.99);
  assert.equal(passages.length, 3);
  const raised = (own: number) => averageLogOdds(own, 0.99);
  assert.deepEqual(confidences, [0.3, raised(0.75), 0.4, raised(0.5), raised(0.6)]);
});

test('what is certain, and what rules found, stands as it is', async () => {
  const findings = [
    findingAt(0, 0.19),
    findingAt(20, 0.8),
    findingAt(40, 0.5, 'attack.override'),
    findingAt(60, 0.2),
  ];
  const { passages, confidences } = await ask(findings, 0.99);
  assert.equal(passages.length, 1);
  assert.deepEqual(confidences, [0.19, 0.8, 0.5, averageLogOdds(0.2, 0.99)]);
});

test('without an opinion the confidence stays', async () => {
  assert.deepEqual((await ask([findingAt(0, 0.5)], null)).confidences, [0.5]);
});

test('an opinion is never worth more than a thousand to one', async () => {
  const { confidences } = await ask([findingAt(0, 0.5)], 1);
  assert.deepEqual(confidences, [averageLogOdds(0.5, 0.999)]);
});
