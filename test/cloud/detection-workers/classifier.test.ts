import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Classifier,
  type ClassifierOutcome,
  openClassifier,
} from '../../../apps/cloud/src/detection-workers/classifier.ts';
import { createScanner } from '../../../apps/cloud/src/detection-workers/scanner.ts';
import {
  averageLogOdds,
  withSecondOpinion,
} from '../../../apps/cloud/src/detection-workers/second-opinion.ts';
import type { Finding } from '../../../shared/detection/index.ts';
import { createClassifierFolder, installRuntime } from '../../support/classifier-folder.ts';

const quiet = { deadlineMs: 20_000, workers: 1, observe: () => undefined };

/** The error of opening such a folder, or that there was none. */
async function faultOf(change: Parameters<typeof createClassifierFolder>[0]): Promise<string> {
  const folder = createClassifierFolder(change);
  try {
    const classifier = await openClassifier({ ...quiet, dir: folder.dir });
    await classifier.close();
    return 'it could be used';
  } catch (error) {
    return (error as Error).message.replaceAll(folder.dir, 'DIR');
  } finally {
    folder.remove();
  }
}

const OWNER = { organizationId: 'org', deviceId: null };

/** If the registry cannot be reached, the runtime cannot be tested. */
const skip = await installRuntime().then(
  () => false,
  (error: Error) => error.message,
);

describe('an operator’s classifier', { skip }, () => {
  test('returns how likely a passage is an attack, and reports the outcome of each call', async () => {
    const folder = createClassifierFolder();
    const outcomes: ClassifierOutcome[] = [];
    const classifier = await openClassifier({
      ...quiet,
      dir: folder.dir,
      observe: (outcome) => outcomes.push(outcome),
    });
    after(() => classifier.close().then(folder.remove));
    const wicked = await classifier.evaluate(OWNER, 'A Wicked text');
    const harmless = await classifier.evaluate(OWNER, 'a harmless text, and harmlesss too');
    assert.ok(wicked !== null && wicked > 0.95, `${wicked}`);
    assert.ok(harmless !== null && harmless < 0.05, `${harmless}`);
    const long = await classifier.evaluate(OWNER, `wicked ${'word '.repeat(3_000)}`);
    assert.ok(long !== null && long >= 0 && long <= 1, 'longer than the model reads');
    const many = await Promise.all(
      ['', '\ud800', '🧑‍🚀', 'x'.repeat(5_000)].map((passage) => classifier.evaluate(OWNER, passage)),
    );
    assert.ok(many.every((likelihood) => likelihood !== null));
    assert.deepEqual([...new Set(outcomes)], ['answered']);
  });

  test('returns no opinion when the model is late or the queue is full', async () => {
    const folder = createClassifierFolder({ slow: true });
    const outcomes: ClassifierOutcome[] = [];
    const classifier = await openClassifier({
      ...quiet,
      dir: folder.dir,
      deadlineMs: 5,
      observe: (outcome) => outcomes.push(outcome),
    });
    after(() => classifier.close().then(folder.remove));
    assert.equal(await classifier.evaluate(OWNER, 'a wicked text'), null);
    assert.deepEqual(outcomes, ['late']);
    const crowd = await Promise.all(Array.from({ length: 12 }, () => classifier.evaluate(OWNER, 'wicked')));
    assert.ok(crowd.every((likelihood) => likelihood === null));
    assert.ok(outcomes.includes('busy'), outcomes.join(', '));
  });

  test('serves one organization while another fills its own queue', async () => {
    const folder = createClassifierFolder();
    const classifier = await openClassifier({ ...quiet, dir: folder.dir });
    after(() => classifier.close().then(folder.remove));
    const crowd = Array.from({ length: 50 }, () => classifier.evaluate(OWNER, 'wicked'));
    const other = { organizationId: 'another', deviceId: null };
    assert.notEqual(await classifier.evaluate(other, 'a wicked text'), null);
    const evaluated = await Promise.all(crowd);
    assert.ok(evaluated.includes(null) && evaluated.some((likelihood) => likelihood !== null));
  });

  test('understands the labels of well-known models', async () => {
    for (const labels of [
      { 0: 'benign', 1: 'injection' },
      { 0: 'LABEL_0', 1: 'LABEL_1' },
      { 0: 'SAFE', 1: 'INJECTION' },
      { 0: 'BENIGN', 1: 'MALICIOUS' },
    ]) {
      assert.equal(await faultOf({ labels }), 'it could be used', JSON.stringify(labels));
    }
  });

  test('rejects an unusable folder at the start with one sentence', async () => {
    const named = 'GATEWAY_CLASSIFIER_DIR names DIR: ';
    assert.equal(
      await faultOf({ without: 'config.json' }),
      `${named}its config.json cannot be read (ENOENT).`,
    );
    assert.equal(
      await faultOf({ without: 'tokenizer.json' }),
      `${named}its tokenizer.json cannot be read (ENOENT).`,
    );
    assert.match(await faultOf({ without: 'model.onnx' }), /there is no model\.onnx, .* in it\.$/);
    assert.match(
      await faultOf({ labels: { 0: 'A', 1: 'B' } }),
      /names the labels A, B, but none of them means harmless\.$/,
    );
    assert.match(await faultOf({ model: Uint8Array.from([1, 2, 3]) }), /model\.onnx cannot be loaded: /);
  });
});

const PRESET = { useCase: 'default', strictness: 'moderate', policies: [] } as const;

const finding = (slot: number, confidence: number, rule = 'model.user'): Finding => ({
  slot,
  start: 0,
  end: 6,
  type: 'prompt_injection',
  rule,
  confidence,
  reason: 'Reads like one.',
});
const slots = ['wicked words', 'harmless words', 'wicked words'].map((text, n) => ({
  path: `/${n}`,
  role: 'user' as const,
  text,
}));

describe('a second opinion', { skip }, () => {
  const folder = createClassifierFolder();
  let classifier: Classifier;
  let requestCount = 0;
  before(async () => {
    classifier = await openClassifier({
      dir: folder.dir,
      deadlineMs: 20_000,
      workers: 2,
      observe: () => requestCount++,
    });
  });
  after(async () => {
    await classifier.close();
    folder.remove();
  });

  test('combines two opinions at the mean of their log-odds', () => {
    assert.ok(Math.abs(averageLogOdds(0.5, 0.5) - 0.5) < 1e-9);
    assert.ok(Math.abs(averageLogOdds(0.3, 0.7) - 0.5) < 1e-9);
    assert.ok(averageLogOdds(0.45, 0.99) > 0.85);
    assert.ok(averageLogOdds(0.6, 0.02) < 0.2);
    for (const other of [0, 1, Number.MIN_VALUE]) assert.ok(Number.isFinite(averageLogOdds(0.5, other)));
  });

  test('is requested only for uncertain findings of the model, and changes only those', async () => {
    requestCount = 0;
    const rows = [
      finding(0, 0.45),
      finding(1, 0.55),
      finding(2, 0.95),
      finding(2, 0.5, 'override.said-above'),
    ];
    const evaluated = await withSecondOpinion(OWNER, slots, rows, classifier);
    assert.ok(evaluated[0]!.confidence > 0.7, 'wicked words are more likely an attack');
    assert.ok(evaluated[1]!.confidence < 0.3, 'harmless words less');
    assert.deepEqual(evaluated.slice(2), rows.slice(2));
    assert.equal(requestCount, 2);
  });

  test('is not requested for clear texts, and does not change the findings of a harmless long text', async () => {
    const scanner = createScanner({ workers: 1, deadlineMs: 20_000, classifier });
    const plain = createScanner({ workers: 1, deadlineMs: 20_000 });
    const ruleset = scanner.ruleset(PRESET);
    const sure = [{ path: '/', role: 'user' as const, text: 'What is the capital of France?' }];
    requestCount = 0;
    await scanner.scan(OWNER, sure, ruleset, 'input');
    assert.equal(requestCount, 0, 'clear texts need no second opinion');
    const long = [
      { path: '/', role: 'user' as const, text: 'An ordinary sentence about the weather. '.repeat(800) },
    ];
    assert.deepEqual(
      await scanner.scan(OWNER, long, ruleset, 'input'),
      await plain.scan(OWNER, long, ruleset, 'input'),
    );
    await plain.close();
  });
});
