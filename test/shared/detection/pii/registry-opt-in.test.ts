import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPT_IN_PII_TYPES, PII_TYPES, POLICY_PII_TYPES } from '@csg/shared/contract';
import { decideFindings } from '@csg/shared/decision';
import { compileRuleset, type PolicyInput, piiSpans, scan } from '@csg/shared/detection';
import { OPT_IN_TYPES } from '../../../../shared/detection/pii/registry.ts';
import { assertBounded } from '../../../support/cpu-time.ts';
import { type OptInText, optInTexts } from '../../../support/opt-in-texts.ts';
import { createRandom } from '../../../support/random.ts';

const TEXTS = optInTexts();
const PLACEHOLDERS = new Map<string, string>(OPT_IN_TYPES.map((row) => [row.type, row.placeholder]));
const spansOf = ({ type, text }: Pick<OptInText, 'type' | 'text'>) =>
  piiSpans(text, [type]).map(({ start, end }) => ({ start, end }));

for (const type of OPT_IN_PII_TYPES) {
  const positives = TEXTS.filter((row) => row.type === type && row.values.length > 0);
  const negatives = TEXTS.filter((row) => row.type === type && row.values.length === 0);

  test(`${type}: finds whole values, and ignores near misses`, () => {
    assert.ok(positives.length >= 30 && negatives.length >= 30);
    const missed = positives.filter((row) => JSON.stringify(spansOf(row)) !== JSON.stringify(row.values));
    assert.ok(missed.length <= positives.length * 0.05, missed.map(({ text }) => text).join('\n'));
    assert.deepEqual(
      negatives.filter((row) => spansOf(row).length > 0),
      [],
    );
  });
}

test('finds values in place after surrogates, in JSON, and after its escapes', () => {
  for (const row of TEXTS.filter(({ values }) => values.length === 1)) {
    const value = row.text.slice(row.values[0]!.start, row.values[0]!.end);
    // two lines become one in JSON
    if (value.includes('\n') || spansOf(row).length === 0) continue;
    for (const write of [
      (text: string) => `😀𝒜 ${text}\n😀`,
      (text: string) => JSON.stringify({ note: `😀 "${text}"` }),
      (text: string) => JSON.stringify({ note: `first line\n${text}\nlast line` }),
    ]) {
      const text = write(row.text);
      // after the n of an escape, Cyrillic letters are read as look-alikes
      if (/\\n[а-я]/i.test(text)) continue;
      const found = spansOf({ ...row, text }).map(({ start, end }) => text.slice(start, end));
      assert.ok(found.includes(value) || text.includes('\\"'), `${text}: ${found.join(' | ')}`);
    }
  }
});

const policy = (rules: PolicyInput['rules'], action: PolicyInput['action'] = 'redact'): PolicyInput => ({
  id: 'p1',
  action,
  threatTypes: ['pii_leak'],
  ...(rules && { rules }),
});
const rulesetOf = (...policies: PolicyInput[]) =>
  compileRuleset({ useCase: 'default', strictness: 'moderate', policies });
const TEXT = 'My name is Anna Lindqvist, IBAN DE89 3704 0044 0532 0130 00, mail anna@harbour.example';

test('without a policy that names the type, it is not looked for', () => {
  for (const ruleset of [
    rulesetOf(),
    rulesetOf(policy(undefined, 'block')),
    rulesetOf(policy({ conditions: { pii_types: ['email'] } })),
    rulesetOf(policy({ conditions: { pii_types: ['iban'], directions: ['output'] } })),
  ]) {
    const found = scan([{ path: '', role: 'user', text: TEXT }], ruleset, 'input');
    assert.deepEqual(new Set(found.map(({ pii }) => pii)), new Set(['email']));
  }
});

test('a policy redacts, blocks or monitors the types it names, in addition to the preset', () => {
  const outcome = (action: PolicyInput['action'], role: 'user' | 'tool_result' | 'system' = 'user') => {
    const ruleset = rulesetOf(policy({ conditions: { pii_types: ['iban', 'person_name'] } }, action));
    const findings = scan([{ path: '', role, text: TEXT }], ruleset, 'input');
    const verdict = decideFindings(findings, ruleset, 'input');
    return { verdict, written: (verdict.replacements.get(0) ?? []).map(({ text }) => text) };
  };
  for (const role of ['user', 'tool_result'] as const)
    assert.deepEqual(outcome('redact', role).written, ['[PERSON_NAME]', '[IBAN]', '[EMAIL]']);
  assert.deepEqual(outcome('redact', 'system').written, ['[PERSON_NAME]', '[IBAN]']);
  assert.equal(outcome('block').verdict.decision, 'block');
  assert.deepEqual(outcome('block').verdict.decidedBy, { kind: 'policy', id: 'p1' });
  const monitored = outcome('monitor').verdict;
  assert.equal(monitored.decision, 'redact');
  assert.ok(monitored.findings.some(({ rule }) => rule === 'pii.iban'));
  assert.deepEqual(outcome('allow').written, ['[EMAIL]']);
});

test('an earlier policy that names no types does not decide about them', () => {
  const general: PolicyInput = { ...policy(undefined, 'block'), id: 'p0' };
  const ruleset = rulesetOf(general, policy({ conditions: { pii_types: ['iban'] } }));
  const text = 'IBAN DE89 3704 0044 0532 0130 00';
  const verdict = decideFindings(
    scan([{ path: '', role: 'user', text }], ruleset, 'input'),
    ruleset,
    'input',
  );
  assert.deepEqual(verdict.decidedBy, { kind: 'policy', id: 'p1' });
  assert.equal(verdict.decision, 'redact');
});

test('a placeholder is not found as a value again', () => {
  for (const row of TEXTS.filter(({ values }) => values.length === 1)) {
    const { start, end } = row.values[0]!;
    const text = row.text.slice(0, start) + PLACEHOLDERS.get(row.type)! + row.text.slice(end);
    assert.deepEqual(
      piiSpans(text, POLICY_PII_TYPES).filter(({ type }) => type === row.type),
      [],
      text,
    );
  }
});

test('the contract and the registry name the same types, and redact takes the documented ones', () => {
  assert.deepEqual(
    OPT_IN_TYPES.map(({ type }) => type),
    OPT_IN_PII_TYPES,
  );
  assert.deepEqual(PII_TYPES, ['email', 'phone', 'ssn', 'credit_card', 'api_key', 'ip_address']);
});

test('texts designed to be slow take linear time, and no text makes a recognizer throw', () => {
  const random = createRandom(41);
  const parts = TEXTS.flatMap(({ text }) => text.split(/(?<=\s)/));
  const hostile = [
    'A',
    '1',
    '12 ',
    'DE12',
    'Anna ',
    'My name is ',
    '12 Main Street ',
    '1 A B C D ',
    'rue ',
    '12 rue a ',
    'Via a ',
    'Aa-',
    "O'",
    'born on ',
    'born in A ',
    '1 Jan',
    'passport no ',
    'passport ',
    'MRN ',
    '<',
    'P<',
    '0<',
    '11.',
    '- ',
    '\n',
    'Name: ',
    'Mr. A',
    'Straße ',
    'é',
    'Regards,\n\n',
  ];
  const fill = (piece: string) => piece.repeat(100_000 / piece.length);
  const prose = fill(parts.join(''));
  const harmless = () => OPT_IN_TYPES.map((row) => row.find(prose));
  assertBounded(
    OPT_IN_TYPES.flatMap((row) =>
      hostile.map((piece) => [`${row.type} ${JSON.stringify(piece)}`, () => row.find(fill(piece))] as const),
    ),
    { boundMs: 400, ratio: 6, harmless },
  );
  for (const row of OPT_IN_TYPES) {
    for (let round = 0; round < 300; round++) {
      const text = Array.from({ length: 30 }, () =>
        random.below(8) === 0 ? String.fromCharCode(random.below(65_536)) : random.pick(parts),
      ).join('');
      for (const { start, end, type } of row.find(text)) {
        assert.equal(type, row.type);
        assert.ok(start >= 0 && start < end && end <= text.length);
        assert.ok(end - start <= row.reach.after, `${row.type} ${end - start}`);
      }
    }
  }
});

test('text beyond the reach changes nothing', () => {
  const row = (type: string) => OPT_IN_TYPES.find((one) => one.type === type)!;
  for (const { type, text, values } of TEXTS.filter((one) => one.values.length === 1)) {
    const { find, reach } = row(type);
    const [span] = find(text);
    if (span === undefined) continue;
    const behind = text.slice(0, values[0]!.start + reach.after);
    const from = Math.max(0, values[0]!.end - reach.before);
    assert.ok(
      find(behind).some(({ start, end }) => start === span.start && end === span.end),
      text,
    );
    assert.ok(
      find(text.slice(from)).some(({ start }) => start + from === span.start),
      text,
    );
  }
});
