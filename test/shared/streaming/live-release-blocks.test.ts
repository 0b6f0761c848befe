import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideFindings } from '@csg/shared/decision';
import { compileRuleset, scan } from '@csg/shared/detection';
import { formatByName } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';
import { LiveRelease } from '../../../shared/streaming/live-release.ts';
import { LiveStream } from '../../../shared/streaming/live-stream.ts';
import { createTextGates } from '../../../shared/streaming/text-gates.ts';

const RULESET = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
const KEY = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
const [ONE, TWO] = [`Plain words and then ${KEY.slice(0, 10)}`, `${KEY.slice(10)} and so on. `];

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const block = (index: number, text: string) =>
  data({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } });
const start = (index: number) =>
  data({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
const stop = (index: number) => data({ type: 'content_block_stop', index });
const parts = (...texts: string[]) =>
  data({ candidates: [{ index: 0, content: { role: 'model', parts: texts.map((text) => ({ text })) } }] });
const thought = (text: string, isThought = true) =>
  data({
    candidates: [{ index: 0, content: { parts: [isThought ? { text, thought: true } : { text }] } }],
  });
const THOUGHT = thought('That is it. ');
const part = (content_index: number, delta: string) =>
  data({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index, delta });
const choice = (content: unknown) => ({ index: 0, delta: { content } });
const list = (text: string) => data({ choices: [choice([{ type: 'text', text }])] });

const chat = (delta: object) => data({ choices: [{ index: 0, delta, finish_reason: null }] });

/** A key in two texts that clients show as one. */
const SPREAD: readonly (readonly [string, string, string])[] = [
  [
    'two blocks',
    'anthropic-messages',
    start(0) + block(0, ONE) + stop(0) + start(1) + block(1, TWO) + stop(1),
  ],
  [
    'a repeated index',
    'anthropic-messages',
    start(0) + block(0, ONE) + stop(0) + start(0) + block(0, TWO) + stop(0),
  ],
  [
    'the later block opened first',
    'anthropic-messages',
    start(1) + block(1, TWO) + stop(1) + start(0) + block(0, ONE) + stop(0),
  ],
  [
    'opened in order, the later one filled first',
    'anthropic-messages',
    start(0) + start(1) + block(1, TWO) + block(0, ONE) + stop(0) + stop(1),
  ],
  [
    'continued after its end, behind the later one',
    'anthropic-messages',
    start(0) + stop(0) + start(1) + block(1, TWO) + stop(1) + block(0, ONE),
  ],
  ['the later content first', 'openai-responses', part(1, TWO) + part(0, ONE)],
  ['parts without an index, around a thought', 'gemini-generate', parts(ONE) + THOUGHT + parts(TWO)],
  [
    'around an event of an unknown kind',
    'openai-chat',
    chat({ content: ONE }) + data({ type: 'odd', note: 'hi' }) + chat({ content: TWO }),
  ],
  ['two parts of a frame', 'gemini-generate', parts(ONE, TWO)],
  ['two frames', 'gemini-generate', parts(ONE) + parts(TWO)],
  ['two contents', 'openai-responses', part(0, ONE) + part(1, TWO)],
  ['two lists', 'openai-chat', list(ONE) + list(TWO)],
  ['an index twice in a frame', 'openai-chat', data({ choices: [choice(ONE), choice(TWO)] })],
];

for (const [name, formatName, stream] of SPREAD) {
  test(`a key in two pieces is not released: ${name}`, () => {
    const format = formatByName(formatName);
    const gates = createTextGates(RULESET);
    const source = new LiveStream(new LiveRelease({ frames: format.readFrames()!, gates }), () => {});
    let sent = '';
    const body = Buffer.from(stream);
    for (let at = 0; at < body.length; at++) {
      source.push(body.subarray(at, at + 1));
      sent += source.take()?.toString() ?? '';
    }
    const found = scan(format.readStream(stream).slots, RULESET, 'output');
    assert.equal(decideFindings(found, RULESET, 'output').decision, 'block');
    assert.ok(!sent.includes('AKIA') && !sent.includes(KEY.slice(10)), sent);
  });
}

const PROSE = 'The report for the second quarter is ready, and my team has read it in full. '
  .repeat(3)
  .trim();
const signature = {
  type: 'signature_delta',
  signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl'.repeat(4),
};

/** Reasoning that ends like a sentence, and then the text for the user. */
const THOUGHTFUL: readonly (readonly [string, string])[] = [
  ['openai-chat', chat({ reasoning_content: PROSE }) + chat({ content: PROSE })],
  ['gemini-generate', thought(PROSE) + thought(PROSE, false)],
  [
    'anthropic-messages',
    data({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } }) +
      data({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: PROSE } }) +
      data({ type: 'content_block_delta', index: 0, delta: signature }) +
      stop(0) +
      start(1) +
      block(1, PROSE),
  ],
  [
    'openai-responses',
    data({
      type: 'response.reasoning_text.delta',
      item_id: 'r',
      output_index: 0,
      content_index: 0,
      delta: PROSE,
    }) +
      data({
        type: 'response.reasoning_text.done',
        item_id: 'r',
        output_index: 0,
        content_index: 0,
        text: PROSE,
      }) +
      data({
        type: 'response.output_text.delta',
        item_id: 'm',
        output_index: 1,
        content_index: 0,
        delta: PROSE,
      }),
  ],
];

for (const [formatName, stream] of THOUGHTFUL) {
  test(`text after reasoning is released before its end: ${formatName}`, () => {
    const format = formatByName(formatName);
    const source = new LiveStream(
      new LiveRelease({ frames: format.readFrames()!, gates: createTextGates(RULESET) }),
      () => {},
    );
    source.push(Buffer.from(stream));
    const sent = source.take()?.toString() ?? '';
    const left = format.readStream(sent).slots.filter(({ text }) => text.startsWith('The report'));
    const lengths = left.map(({ text }) => text.length);
    assert.ok(lengths.includes(PROSE.length) && Math.min(...lengths) > PROSE.length - 16, sent);
  });
}

const summary = (summary_index: number, delta: string) =>
  data({
    ...{ type: 'response.reasoning_summary_text.delta', item_id: 'r', output_index: 0 },
    ...{ summary_index, delta },
  });

const ended = (name: string) =>
  data({ type: `response.${name}.done`, item_id: 'm', output_index: 0, content_index: 0, text: PROSE });

/** Texts that clients show as one. */
const ROWS: readonly (readonly [string, string, string])[] = [
  ['blocks', 'anthropic-messages', start(0) + block(0, PROSE) + stop(0) + start(1) + block(1, PROSE)],
  [
    'a block of a sign alone',
    'anthropic-messages',
    start(0) +
      block(0, `${PROSE.slice(0, -1)}:`) +
      stop(0) +
      start(1) +
      block(1, ', ') +
      stop(1) +
      start(2) +
      block(2, PROSE),
  ],
  [
    'parts of a summary',
    'openai-responses',
    summary(0, PROSE) + ended('reasoning_summary_text') + summary(1, `**${PROSE} `) + summary(1, PROSE),
  ],
  [
    'contents',
    'openai-responses',
    part(0, PROSE) + ended('output_text') + part(1, `\n\n${PROSE} `) + part(1, PROSE),
  ],
];

function sentOf(formatName: string, stream: string, systemSlots: readonly TextSlot[] = []): string {
  const format = formatByName(formatName);
  const gates = createTextGates(RULESET, { systemSlots });
  const source = new LiveStream(new LiveRelease({ frames: format.readFrames()!, gates }), () => {});
  source.push(Buffer.from(stream));
  return source.take()?.toString() ?? '';
}

for (const [name, formatName, stream] of ROWS) {
  test(`a later text is released before its end: ${name}`, () => {
    const sent = sentOf(formatName, stream);
    const shown = sent.replace(/^.*\.done.*$/gm, '');
    assert.equal(shown.split('The report for').length - 1, 6, sent);
  });
}

test('instructions repeated in many blocks are blocked as in one', () => {
  const matters =
    'money love ships trains houses clocks rivers birds shoes bread wine paint music chess tennis'.split(' ');
  const text = matters
    .map((one) => `Never tell anybody what you think about ${one} in this house. `)
    .join('');
  const systemSlots = [{ path: '', role: 'system' as const, text }];
  const blocks = text
    .split(/(?<=\. )/)
    .map((one, at) => start(at) + block(at, one) + stop(at))
    .join('');
  const sent = sentOf('anthropic-messages', blocks, systemSlots);
  const left = sent.split('Never tell').length - 1;
  assert.ok(left > 2 && left < 10, `${left} of 15 sentences released`);
});

test('a text after an unfinished one waits', () => {
  const sent = sentOf('openai-responses', part(0, PROSE) + part(1, `\n\n${PROSE} `) + part(1, PROSE));
  assert.ok(!sent.includes('\\n\\n'), sent);
});
