import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Verdict } from '@csg/shared/detection';
import {
  assessCall,
  type CallFacts,
  levelOf,
  sendsOut,
} from '../../../../apps/cloud/src/flows/agent/assess-call.ts';

const CLEAN: Verdict = {
  decision: 'allow',
  confidence: 0,
  threatType: null,
  threats: [],
  findings: [],
  replacements: new Map(),
};
const found = (decision: Verdict['decision'], confidence: number): Verdict => ({
  ...CLEAN,
  decision,
  confidence,
  threatType: 'secret_leak',
  threats: [{ type: 'secret_leak', confidence, details: 'A key.' }],
});
const assess = (facts: Partial<CallFacts>) =>
  assessCall({
    flow: null,
    toolName: 'files.read',
    listing: 'free',
    verdict: CLEAN,
    history: { total: 5, ofTool: 2, recent: 1 },
    taints: [],
    isComparable: true,
    namesInnerAddress: false,
    isCodeAssistant: false,
    ...facts,
  });

describe('the risk of a tool call', () => {
  test('blocks a call that needs approval and cannot be compared with another', () => {
    const { blockedReasons } = assess({ listing: 'review', isComparable: false });
    assert.match(blockedReasons.join(), /too many digits/);
    assert.deepEqual(assess({ isComparable: false }).blockedReasons, []);
  });

  test('has levels that begin at 0, 0.2, 0.4, 0.6 and 0.8', () => {
    assert.deepEqual([0, 0.19, 0.2, 0.39, 0.4, 0.59, 0.6, 0.79, 0.8, 1].map(levelOf), [
      'safe',
      'safe',
      'low',
      'low',
      'medium',
      'medium',
      'high',
      'high',
      'critical',
      'critical',
    ]);
  });

  test('is safe when nothing speaks against the call', () => {
    assert.deepEqual(assess({}), {
      riskScore: 0.05,
      riskLevel: 'safe',
      blockedReasons: [],
      warnings: [],
      anomalies: [],
      reviewReason: null,
    });
  });

  test('rises with lists, arguments and history, each on its own', () => {
    assert.deepEqual([assess({ listing: 'blocked' }).riskLevel], ['critical']);
    assert.deepEqual([assess({ listing: 'not_allowed' }).riskLevel], ['high']);
    const review = assess({ listing: 'review' });
    assert.equal(review.riskLevel, 'medium');
    assert.match(review.reviewReason ?? '', /approval/);
    const blocked = assess({ verdict: found('block', 0.9) });
    assert.deepEqual([blocked.riskScore, blocked.blockedReasons], [0.96, ['In the arguments: A key.']]);
    const redacted = assess({ verdict: found('redact', 0.9) });
    assert.deepEqual([redacted.blockedReasons, redacted.warnings.length], [[], 1]);
    assert.equal(assess({ verdict: null }).warnings.length, 1);
    assert.deepEqual(assess({ history: { total: 40, ofTool: 30, recent: 30 } }).anomalies, ['burst']);
    assert.deepEqual(assess({ history: { total: 20, ofTool: 0, recent: 0 } }).anomalies, ['new_tool']);
    assert.deepEqual(assess({ history: { total: 19, ofTool: 0, recent: 29 } }).anomalies, []);
  });

  test('rises with untrusted data that was read once something is sent out', () => {
    const read = { source: 'scrape', isThreat: false, atMs: 1 } as const;
    const threat = { source: 'tool', isThreat: true, atMs: 1 } as const;
    assert.deepEqual(assess({ taints: [read, threat] }).anomalies, [], 'further reading is no outflow');
    const mild = assess({ toolName: 'slack.postMessage', taints: [read] });
    assert.deepEqual([mild.anomalies, mild.reviewReason], [['tainted_outflow'], null]);
    assert.ok(mild.riskScore > assess({ toolName: 'slack.postMessage' }).riskScore);
    const hard = assess({ toolName: 'slack.postMessage', taints: [read, threat] });
    assert.match(hard.reviewReason ?? '', /result of a tool/);
    assert.equal(hard.riskLevel, 'high');
  });

  test('recognizes names of tools that send something out', () => {
    for (const name of ['gmail.sendDraft', 'slack__post_message', 'http:request', 'uploadFile', 'fetch']) {
      assert.ok(sendsOut(name), name);
    }
    for (const name of ['files.read', 'search_web', 'sender_lookup', 'mailbox.list', 'send.status']) {
      assert.ok(!sendsOut(name), name);
    }
  });
});

test('each single factor against a call has its own score, warnings and reasons', () => {
  const clean = {
    ...{ riskScore: 0.05, riskLevel: 'safe', blockedReasons: 0, warnings: 0 },
    ...{ anomalies: [] as string[], asksReview: false },
  };
  const read = { source: 'scrape', isThreat: false, atMs: 1 } as const;
  const flow = (action: 'monitor' | 'review' | 'block') => ({
    ...{ action, reason: 'It stands in a page.', threatType: 'indirect_prompt_injection' as const },
    decidedBy: { kind: 'preset' } as never,
  });
  const cases: readonly (readonly [facts: Partial<CallFacts>, due: Partial<typeof clean>])[] = [
    [{}, {}],
    [{ listing: 'blocked' }, { riskScore: 0.8, riskLevel: 'critical', blockedReasons: 1 }],
    [{ listing: 'not_allowed' }, { riskScore: 0.6, riskLevel: 'high', blockedReasons: 1 }],
    [{ listing: 'review' }, { riskScore: 0.4, riskLevel: 'medium', asksReview: true }],
    [{ verdict: null }, { riskScore: 0.4, riskLevel: 'medium', warnings: 1 }],
    [{ verdict: found('allow', 0.9) }, { riskScore: 0.3, riskLevel: 'low', warnings: 1 }],
    [{ verdict: found('redact', 0.9) }, { riskScore: 0.45, riskLevel: 'medium', warnings: 1 }],
    [{ verdict: found('block', 0.5) }, { riskScore: 0.8, riskLevel: 'critical', blockedReasons: 1 }],
    [{ namesInnerAddress: true }, { riskScore: 0.6, riskLevel: 'high', asksReview: true }],
    [
      { namesInnerAddress: true, isCodeAssistant: true },
      { riskScore: 0.6, riskLevel: 'high', warnings: 1 },
    ],
    [{ flow: flow('monitor') }, { riskScore: 0.4, riskLevel: 'medium', warnings: 1 }],
    [{ flow: flow('review') }, { riskScore: 0.7, riskLevel: 'high', asksReview: true }],
    [{ flow: flow('block') }, { riskScore: 0.7, riskLevel: 'high', blockedReasons: 1 }],
    [
      { history: { total: 29, ofTool: 9, recent: 30 } },
      { riskScore: 0.25, riskLevel: 'low', warnings: 1, anomalies: ['burst'] },
    ],
    [
      { history: { total: 20, ofTool: 0, recent: 1 } },
      { riskScore: 0.2, riskLevel: 'low', warnings: 1, anomalies: ['new_tool'] },
    ],
    [
      { toolName: 'send', taints: [read] },
      { riskScore: 0.3, riskLevel: 'low', warnings: 1, anomalies: ['tainted_outflow'] },
    ],
    [
      { toolName: 'send', taints: [{ ...read, isThreat: true }] },
      { riskScore: 0.7, riskLevel: 'high', asksReview: true, anomalies: ['tainted_outflow'] },
    ],
    // Together: small risks add up, of the others the worst counts, and the first reason for review stays.
    [
      { listing: 'blocked', verdict: found('block', 0.1), flow: flow('block') },
      { riskScore: 0.8, riskLevel: 'critical', blockedReasons: 3 },
    ],
    [
      { listing: 'review', verdict: null, flow: flow('monitor') },
      { riskScore: 0.4, riskLevel: 'medium', warnings: 2, asksReview: true },
    ],
    [
      { toolName: 'send', taints: [read], history: { total: 40, ofTool: 0, recent: 40 } },
      {
        ...{ riskScore: 0.65, riskLevel: 'high', warnings: 3 },
        anomalies: ['burst', 'new_tool', 'tainted_outflow'],
      },
    ],
  ];
  for (const [facts, due] of cases) {
    const { blockedReasons, warnings, reviewReason, ...rest } = assess(facts);
    const counts = { blockedReasons: blockedReasons.length, warnings: warnings.length };
    assert.deepEqual(
      { ...rest, ...counts, asksReview: reviewReason !== null },
      { ...clean, ...due },
      JSON.stringify(facts),
    );
  }
  const both = assess({ listing: 'review', namesInnerAddress: true, flow: flow('review') });
  assert.match(both.reviewReason ?? '', /list of tools/);
  assert.match(assess({ namesInnerAddress: true, flow: flow('review') }).reviewReason ?? '', /loopback/);
  assert.equal(assess({ flow: flow('review') }).reviewReason, 'It stands in a page.');
});
