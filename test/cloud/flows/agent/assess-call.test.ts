import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Hold, Verdict } from '@csg/shared/decision';
import { toToolCall } from '@csg/shared/providers';
import { finish } from '@csg/shared/text';
import {
  assessCall,
  concernsOf,
  type DecidedCall,
  levelOf,
  sendsOut,
} from '../../../../apps/cloud/src/flows/agent/assess-call.ts';

const CLEAN = { decision: 'allow', confidence: 0, threats: [] } as const;
const found = (decision: Verdict['decision'], confidence: number): DecidedCall['ofTexts'] => ({
  ...{ decision, confidence },
  threats: [{ type: 'secret_leak', confidence, details: 'A key.' }],
});

const CALL = finish(toToolCall('', null, 'files.read', {}));
const LISTS = {
  blocked: 'blocked_tools',
  not_allowed: 'allowed_tools',
  review: 'review_required_tools',
} as const;
const listed = (listing: keyof typeof LISTS): Hold => ({
  ...{ call: CALL, source: 'list', threatType: 'unsafe_tool_call', reason: `The list: ${listing}.` },
  ...{
    action: listing === 'review' ? 'review' : 'block',
    decidedBy: { kind: 'setting', id: LISTS[listing] },
  },
});
const flow = (action: Hold['action']): Hold => ({
  ...{ call: CALL, source: 'flow', action, threatType: 'data_exfiltration', reason: 'It stands in a page.' },
  decidedBy: { kind: 'setting', id: 'flow_control' },
});

/** Assesses a call with the holds of its session behind the given ones. */
const assess = (facts: Partial<DecidedCall>) => {
  const decided: DecidedCall = {
    ...{ toolName: 'files.read', ofTexts: CLEAN, holds: [], incomparable: null },
    ...{ history: { total: 5, ofTool: 2, recent: 1 }, taints: [] },
    ...{ innerAddress: null, isCodeAssistant: false },
    ...facts,
  };
  const ofSession = concernsOf(decided).map(
    (reason): Hold => ({
      ...{ call: CALL, source: 'session', action: 'review', threatType: 'unsafe_tool_call', reason },
    }),
  );
  return assessCall({ ...decided, holds: [...decided.holds, ...ofSession] });
};

describe('the risk of a tool call', () => {
  test('blocks a call that needs approval and cannot be compared with another', () => {
    const incomparable = 'It has too many digits.';
    assert.deepEqual(assess({ holds: [listed('review')], incomparable }).blockedReasons, [incomparable]);
    assert.deepEqual(assess({ incomparable }).blockedReasons, []);
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
    assert.deepEqual([assess({ holds: [listed('blocked')] }).riskLevel], ['critical']);
    assert.deepEqual([assess({ holds: [listed('not_allowed')] }).riskLevel], ['high']);
    const review = assess({ holds: [listed('review')] });
    assert.equal(review.riskLevel, 'medium');
    assert.match(review.reviewReason ?? '', /The list/);
    const blocked = assess({ ofTexts: found('block', 0.9) });
    assert.deepEqual([blocked.riskScore, blocked.blockedReasons], [0.96, ['In the arguments: A key.']]);
    const redacted = assess({ ofTexts: found('redact', 0.9) });
    assert.deepEqual([redacted.blockedReasons, redacted.warnings.length], [[], 1]);
    assert.equal(assess({ ofTexts: null }).warnings.length, 1);
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
  const cases: readonly (readonly [facts: Partial<DecidedCall>, due: Partial<typeof clean>])[] = [
    [{}, {}],
    [{ holds: [listed('blocked')] }, { riskScore: 0.8, riskLevel: 'critical', blockedReasons: 1 }],
    [{ holds: [listed('not_allowed')] }, { riskScore: 0.6, riskLevel: 'high', blockedReasons: 1 }],
    [{ holds: [listed('review')] }, { riskScore: 0.4, riskLevel: 'medium', asksReview: true }],
    [{ ofTexts: null }, { riskScore: 0.4, riskLevel: 'medium', warnings: 1 }],
    [{ ofTexts: found('allow', 0.9) }, { riskScore: 0.3, riskLevel: 'low', warnings: 1 }],
    [{ ofTexts: found('redact', 0.9) }, { riskScore: 0.45, riskLevel: 'medium', warnings: 1 }],
    [{ ofTexts: found('block', 0.5) }, { riskScore: 0.8, riskLevel: 'critical', blockedReasons: 1 }],
    [{ innerAddress: 'own' }, { riskScore: 0.6, riskLevel: 'high', asksReview: true }],
    [
      { innerAddress: 'own', isCodeAssistant: true },
      { riskScore: 0.6, riskLevel: 'high', warnings: 1 },
    ],
    [{ innerAddress: 'metadata' }, { riskScore: 0.9, riskLevel: 'critical', asksReview: true }],
    [
      { innerAddress: 'metadata', isCodeAssistant: true },
      { riskScore: 0.9, riskLevel: 'critical', asksReview: true },
    ],
    [{ holds: [flow('report')] }, { riskScore: 0.4, riskLevel: 'medium', warnings: 1 }],
    [{ holds: [flow('review')] }, { riskScore: 0.7, riskLevel: 'high', asksReview: true }],
    [{ holds: [flow('block')] }, { riskScore: 0.7, riskLevel: 'high', blockedReasons: 1 }],
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
      { holds: [listed('blocked'), flow('block')], ofTexts: found('block', 0.1) },
      { riskScore: 0.8, riskLevel: 'critical', blockedReasons: 3 },
    ],
    [
      { holds: [listed('review'), flow('report')], ofTexts: null },
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
  const both = assess({ holds: [listed('review'), flow('review')], innerAddress: 'own' });
  assert.match(both.reviewReason ?? '', /The list/);
  assert.match(assess({ innerAddress: 'own' }).reviewReason ?? '', /loopback/);
  assert.equal(assess({ holds: [flow('review')] }).reviewReason, 'It stands in a page.');
});
