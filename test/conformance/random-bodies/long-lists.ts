import assert from 'node:assert/strict';
import fc from 'fast-check';
import { THREAT_TYPES } from '../../../shared/contract/index.ts';
import { decideFindings } from '../../../shared/decision/index.ts';
import { compileRuleset, scan } from '../../../shared/detection/index.ts';
import {
  formatByName,
  readGuardRequest,
  redactedMessages,
  replacementsByPath,
  writeTexts,
} from '../../../shared/providers/index.ts';
import { finish } from '../../../shared/text/index.ts';

const OTHERS = THREAT_TYPES.filter((type) => type !== 'pii_leak');
/** Allows all other threat types, which thousands of equal messages may match. */
const ruleset = compileRuleset({
  useCase: 'default',
  strictness: 'moderate',
  policies: [{ id: 'personal data only', action: 'allow', threatTypes: OTHERS }],
});
const MAIL = 'anna@ex.io';
const CARD = '4111111111111111';

/** Bodies that repeat a value this often, without any other finding. */
const SHAPES: Readonly<Record<string, (count: number) => object>> = {
  'one text': (count) => requestOf(`${MAIL}\n`.repeat(count)),
  'JSON in a string': (count) => requestOf(JSON.stringify(Array(count).fill(MAIL))),
  'numbers in JSON in a string': (count) => requestOf(`[${Array(count).fill(CARD).join(',')}]`),
  'escaped JSON in a string': (count) =>
    requestOf(`[${Array(count).fill(`"caf\\u00e9 ${MAIL}"`).join(',')}]`),
  'a file': (count) =>
    requestOf([
      { type: 'file', file: { file_data: `data:text/plain;base64,${btoa(`${MAIL}\n`.repeat(count))}` } },
    ]),
  blocks: (count) => requestOf(Array(Math.ceil(count / 4)).fill({ type: 'text', text: MAIL })),
  messages: (count) => ({ messages: Array(Math.ceil(count / 4)).fill({ role: 'user', content: MAIL }) }),
  'numbers in arguments': (count) =>
    requestOf([{ type: 'tool_use', name: 'f', input: { x: Array(count).fill(Number(CARD)) } }]),
};
const requestOf = (content: unknown): object => ({ messages: [{ role: 'user', content }] });

/** Very long lists: no step may pass a list as arguments, nor compare every item with every other. */
export const longLists = fc.property(
  fc.constantFrom(...Object.keys(SHAPES)),
  fc.integer({ min: 130_000, max: 180_000 }),
  (shape, count) => {
    const body = SHAPES[shape]!(count);
    const source = JSON.stringify(body);
    const request = formatByName('openai-chat').readRequest(JSON.parse(source), () => source);
    const verdict = decideFindings(scan(request.slots, ruleset, 'input'), ruleset, 'input');
    assert.equal(verdict.decision, 'redact', shape);
    const written = writeTexts(source, replacementsByPath(request.slots, verdict.replacements));
    for (const left of [MAIL, CARD, btoa(MAIL)])
      assert.ok(!written.includes(left), `${shape}: ${left} is still sent`);
    JSON.parse(written);

    const guarded = readGuardRequest(body as never);
    const outcome = decideFindings(scan(guarded.slots, ruleset, 'input'), ruleset, 'input');
    const messages = JSON.stringify(
      finish(redactedMessages(body as never, guarded.slots, outcome.replacements)),
    );
    for (const left of [MAIL, CARD])
      assert.ok(!messages.includes(left), `${shape}: guard still returns ${left}`);
  },
);
