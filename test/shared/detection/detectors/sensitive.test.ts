import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Direction, PolicyAction, StrictnessLevel, UseCase } from '../../../../shared/contract/index.ts';
import { decideFindings } from '../../../../shared/decision/index.ts';
import { compileRuleset, scan } from '../../../../shared/detection/index.ts';
import { applyReplacements, type SlotRole } from '../../../../shared/text/index.ts';

interface Setting {
  readonly role?: SlotRole;
  readonly strictness?: StrictnessLevel;
  readonly useCase?: UseCase;
  readonly action?: PolicyAction;
  readonly direction?: Direction;
}

/** The decision, the text as sent, and the reported threat types. */
function judge(text: string, setting: Setting = {}) {
  const {
    role = 'system',
    strictness = 'moderate',
    useCase = 'default',
    direction = 'input',
    action,
  } = setting;
  const policies = action === undefined ? [] : [{ id: 'pol_1', action, threatTypes: ['pii_leak'] as const }];
  const ruleset = compileRuleset({ useCase, strictness, policies });
  const verdict = decideFindings(scan([{ path: '/x', role, text }], ruleset, direction), ruleset, direction);
  const left = applyReplacements(text, verdict.replacements.get(0) ?? []);
  return [verdict.decision, left, verdict.threats.map(({ type }) => type)] as const;
}

const DEVELOPERS = ['system', 'tool_definition'] as const;
const CONTACT = 'Questions go to help@acme.com or +1 415 555 2671.';

describe("personal data in the developer's texts", () => {
  test('"personal data and secrets are found and redacted like everywhere else"', () => {
    for (const role of DEVELOPERS) {
      for (const [text, left] of [
        ['The SSN is 536-90-4399.', 'The SSN is [SSN].'],
        ['Charge 4111 1111 1111 1111 for it.', 'Charge [CREDIT_CARD] for it.'],
        ['key: ghp_CkCd0ikyBy53I5CeaLrq4aD3kAJqmif6rxLv', 'key: [API_KEY]'],
      ] as const)
        for (const strictness of ['strict', 'moderate', 'permissive'] as const)
          assert.deepEqual(
            judge(text, { role, strictness }).slice(0, 2),
            ['redact', left],
            `${role} ${strictness}`,
          );
    }
  });

  test('"but for e-mail addresses, phone numbers and IP addresses outside of marked passages, under moderate and permissive […] (they are reported)"', () => {
    for (const role of DEVELOPERS) {
      for (const strictness of ['moderate', 'permissive'] as const)
        assert.deepEqual(judge(CONTACT, { role, strictness }), ['allow', CONTACT, ['pii_leak']]);
      assert.deepEqual(judge(CONTACT, { role, strictness: 'strict' }).slice(0, 2), [
        'redact',
        'Questions go to [EMAIL] or [PHONE].',
      ]);
    }
    const server = 'Connect to 185.220.101.4 for it.';
    assert.deepEqual(judge(server, { useCase: 'support_bot' }), ['allow', server, ['pii_leak']]);
    assert.deepEqual(judge(CONTACT, { role: 'user' }).slice(0, 2), [
      'redact',
      'Questions go to [EMAIL] or [PHONE].',
    ]);
  });

  test('contact data is masked within a marked passage, but not before or after it', () => {
    const text =
      'Ask help@acme.com.\n<document>\nAnna: anna@home.example\n</document>\nOr call desk@acme.com.';
    assert.deepEqual(judge(text), [
      'redact',
      'Ask help@acme.com.\n<document>\nAnna: [EMAIL]\n</document>\nOr call desk@acme.com.',
      ['pii_leak'],
    ]);
  });

  test('"unless a policy names them"', () => {
    assert.deepEqual(judge(CONTACT, { action: 'redact' }).slice(0, 2), [
      'redact',
      'Questions go to [EMAIL] or [PHONE].',
    ]);
    assert.equal(judge(CONTACT, { action: 'block' })[0], 'block');
    assert.deepEqual(judge(CONTACT, { action: 'allow' }), ['allow', CONTACT, []]);
  });

  test('masking another value does not mask contact data that is only reported', () => {
    assert.deepEqual(judge(`${CONTACT} The SSN is 536-90-4399.`).slice(0, 2), [
      'redact',
      `${CONTACT} The SSN is [SSN].`,
    ]);
  });

  test('a response that repeats the developer’s contact data is only reported', () => {
    assert.deepEqual(judge(CONTACT, { direction: 'output' }), ['allow', CONTACT, ['pii_leak']]);
  });

  test('types that the preset ignores are ignored here, too', () => {
    assert.deepEqual(judge(CONTACT, { useCase: 'code_assistant' }), ['allow', CONTACT, []]);
  });
});
