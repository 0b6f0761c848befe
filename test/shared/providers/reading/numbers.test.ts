import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decideFindings } from '../../../../shared/decision/index.ts';
import { compileRuleset, scan } from '../../../../shared/detection/index.ts';
import {
  formatByName,
  readGuardRequest,
  readLeafTexts,
  replacementsByPath,
  writeTexts,
} from '../../../../shared/providers/index.ts';
import { inexactNumbers, plainDecimal } from '../../../../shared/providers/reading/numbers.ts';
import { parseStrictJsonText } from '../../../../shared/text/index.ts';
import { assertLinear } from '../../../support/cpu-time.ts';

const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });

/** The body as forwarded after masking all findings. */
function redacted(source: string, name: string = 'anthropic-messages'): string {
  const { slots } = formatByName(name).readRequest(parseStrictJsonText(source), () => source);
  const { replacements } = decideFindings(scan(slots, ruleset, 'input'), ruleset, 'input');
  return writeTexts(source, replacementsByPath(slots, replacements));
}

const numbersIn = (slots: readonly { isNumber?: boolean; path: string; role: string; text: string }[]) =>
  slots.filter(({ isNumber }) => isNumber).map(({ path, role, text }) => `${role} ${path} ${text}`);

/** One number, in all spellings that JSON allows. */
const SPELLINGS = [
  '4111111111111111',
  '-4111111111111111',
  '4111111111111111.0',
  '4.111111111111111e15',
  '4.111111111111111E+15',
  '0.4111111111111111e16',
  '41111111111111110000e-4',
  // 19 digits: a double ends in other ones.
  '6205500000000000004',
  '6.205500000000000004e18',
];

describe('"every number of seven digits or more … is read as text; a masked number becomes the string of its placeholder"', () => {
  const bodies: Readonly<Record<string, (literal: string) => string>> = {
    'tool arguments': (n) =>
      `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"pay","input":{"card": ${n} }}]}]}`,
    'a list in tool arguments': (n) =>
      `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"pay","input":{"x":[1,${n},2]}}]}]}`,
    'a tool result': (n) =>
      `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":{"rows":[{"card":${n}}]}}]}]}`,
    'a number as content': (n) => `{"messages":[{"role":"user","content":${n}}]}`,
    metadata: (n) => `{"messages":[],"metadata":{"card":${n}}}`,
    'an unknown member': (n) => `{"messages":[],"x_card":${n},"x_cards":[[${n}]]}`,
    'an example in a tool definition': (n) =>
      `{"messages":[],"x_tools":[{"input_schema":{"examples":[${n}]}}]}`,
    'JSON in a string': (n) =>
      `{"messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"pay","arguments":${JSON.stringify(`{"card":${n}}`)}}}]}]}`,
    'JSON in a string in JSON in a string': (n) =>
      `{"messages":[{"role":"user","content":${JSON.stringify(JSON.stringify({ inner: `{"card":${n}}` }))}}]}`,
  };
  for (const [where, bodyOf] of Object.entries(bodies)) {
    it(where, () => {
      for (const literal of SPELLINGS) {
        const source = bodyOf(literal);
        const due = bodyOf('"[CREDIT_CARD]"');
        assert.equal(redacted(source), due, literal);
        JSON.parse(redacted(source));
      }
    });
  }

  it('whole and streamed responses', () => {
    const block = '{"type":"tool_use","id":"t","name":"pay","input":{"card":6205500000000000004}}';
    const source = `{"type":"message","role":"assistant","content":[${block}]}`;
    const whole = formatByName('anthropic-messages').readResponse(JSON.parse(source), () => source);
    assert.deepEqual(numbersIn(whole.slots), ['tool_call /content/0/input/card 6205500000000000004']);
    const frames = [
      `{"type":"content_block_start","index":0,"content_block":${block}}`,
      '{"type":"content_block_delta","index":1,"delta":{"type":"x","value":4111111111111111}}',
      '{"type":"unheard_of","scene":{"card":5500000000000004},"x_card":340000000000009}',
    ];
    const stream = formatByName('anthropic-messages').readStream(
      frames.map((frame) => `data: ${frame}\n\n`).join(''),
    );
    const seen = stream.slots.map(({ text }) => text).join('\n');
    for (const number of ['6205500000000000004', '4111111111111111', '5500000000000004', '340000000000009'])
      assert.ok(seen.includes(number), `${number} is in no slot`);
    assert.equal(decideFindings(scan(stream.slots, ruleset, 'output'), ruleset, 'output').decision, 'redact');
  });

  it('argument deltas that split a number', () => {
    const delta = (json: string) =>
      `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: json } })}\n\n`;
    const { slots } = formatByName('anthropic-messages').readStream(
      ['{"card":41111', '111111', '11111}'].map(delta).join(''),
    );
    assert.equal(decideFindings(scan(slots, ruleset, 'output'), ruleset, 'output').decision, 'redact');
  });

  it("guard's messages and context.tool_calls, validate-tool's arguments", () => {
    const source =
      '{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"pay","input":{"card":6205500000000000004}}]}],' +
      '"context":{"tool_calls":[{"name":"pay","args":{"card":4.111111111111111e15}}]}}';
    assert.deepEqual(numbersIn(readGuardRequest(JSON.parse(source), () => source).slots), [
      'tool_call /messages/0/content/0/input/card 6205500000000000004',
      'tool_call /context/tool_calls/0/args/card 4111111111111111',
    ]);
    assert.deepEqual(numbersIn(readLeafTexts({ card: 4111111111111111 }, 'tool_call').slots), [
      'tool_call /card 4111111111111111',
    ]);
  });
});

describe('numbers that are not read as text', () => {
  it('parameters, counts and times at the top of a body stay, so a legitimate call still works', () => {
    const members = '"seed":4111111111111111,"max_tokens":99999999,"created":1764460800,"n":2';
    const source = `{"messages":[],${members}}`;
    assert.equal(redacted(source), source);
    assert.deepEqual(numbersIn(formatByName('openai-chat').readResponse(JSON.parse(source)).slots), []);
    const response = {
      type: 'response.created',
      sequence_number: 41111111,
      response: JSON.parse(source),
    };
    const { slots } = formatByName('openai-responses').readStream(`data: ${JSON.stringify(response)}\n\n`);
    assert.ok(!slots.some(({ text }) => text.includes('4111')));
  });

  it('shorter numbers are not read as text', () => {
    const { slots } = readLeafTexts([1, 999_999, -999_999, 0.12345, 1e5, 100.25, 0], 'tool_call');
    assert.deepEqual(slots, []);
    assert.equal(readLeafTexts([1_000_000, 0.123456, 1e21], 'tool_call').slots.length, 3);
  });

  it('log probabilities of a response are not thousands of texts', () => {
    const content = [{ token: 'a', logprob: -0.123456789, bytes: [97], top_logprobs: [] }];
    const { slots } = formatByName('openai-chat').readResponse({ choices: [{ logprobs: { content } }] });
    assert.deepEqual(
      slots.map(({ text }) => text),
      ['a'],
    );
  });
});

describe('legitimate numbers', () => {
  const noon = 1_760_000_000;
  const kinds: Readonly<Record<string, fc.Arbitrary<number>>> = {
    seconds: fc.integer({ min: 0, max: 1_000_000_000 }).map((n) => noon + n),
    milliseconds: fc.integer({ min: 0, max: 1_000_000_000 }).map((n) => noon * 1_000 + n),
    'seconds and a fraction': fc.double({ min: 0, max: 1e9, noNaN: true }).map((n) => noon + n),
    'decimals of one to fifteen places': fc
      .tuple(fc.integer({ min: 1, max: 15 }), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([places, n]) => Number(n.toFixed(places))),
    'fractions of one': fc.double({ min: -1, max: 1, noNaN: true }),
    coordinates: fc.double({ min: -180, max: 180, noNaN: true }),
    'counts of bytes': fc.integer({ min: 1_000_000, max: 999_999_999 }),
  };
  for (const [kind, numbers] of Object.entries(kinds)) {
    it(`${kind} are ignored`, () => {
      fc.assert(
        fc.property(numbers, (number) => {
          const { slots } = readLeafTexts({ value: number }, 'tool_result');
          assert.deepEqual(scan(slots, ruleset, 'input'), [], String(number));
        }),
        { seed: 11, numRuns: 3_000 },
      );
    });
  }
});

describe('digits', () => {
  it('are written out in decimal', () => {
    const cases = {
      '4.1e3': '4100',
      '41e-1': '4.1',
      '-0.50': '-0.5',
      '1.0': '1',
      '0e5': '0',
      '12E+2': '1200',
      '1e-3': '0.001',
      '5e999': '5e999',
    };
    for (const [literal, due] of Object.entries(cases)) assert.equal(plainDecimal(literal), due);
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -20, max: 20 }), (digits, exponent) => {
        assert.equal(Number(plainDecimal(`${digits}e${exponent}`)), Number(`${digits}e${exponent}`));
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  it('that a double cannot represent are read from the source, each in place', () => {
    const name = 'n'.repeat(300);
    const source = `{"a":6205500000000000004,"b":"9205500000000000004","c/d":[6205500000000000005,-1e20],"${name}":{"e":1e400}}`;
    const { slots } = readLeafTexts(JSON.parse(source), 'user', () => source);
    assert.deepEqual(
      slots.filter(({ isNumber }) => isNumber).map(({ text }) => text),
      ['6205500000000000004', '6205500000000000005', '-100000000000000000000'],
    );
    assert.equal(inexactNumbers(source).size, 4);
  });

  it('of thousands of numbers with the same double are read separately', () => {
    const many = Array.from({ length: 50_000 }, (_, i) => `${1e24}${i}`.replace('1e+24', '1'.repeat(24)));
    const source = `{"messages":[],"x":[${many.join(',')}]}`;
    const { slots } = formatByName('openai-chat').readRequest(JSON.parse(source), () => source);
    assert.deepEqual(
      numbersIn(slots).map((one) => one.split(' ')[2]),
      many,
    );
    const stream = formatByName('openai-chat').readStream(`data: ${source}\n\n`);
    const length = stream.slots.reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(length < 3 * source.length, `${length} characters`);
    assert.ok(stream.slots.some(({ text }) => text.includes(many.at(-1)!)));
  });

  it('with a million digits are read in linear time', () => {
    for (const [name, make] of Object.entries({
      'a long fraction': (n: number) => `1111111.${'0'.repeat(n)}1`,
      'a long integer': (n: number) => `${'1'.repeat(n)}e5`,
      'a long fraction with an exponent': (n: number) => `1.${'0'.repeat(n)}1e20`,
    })) {
      const slotsOf = (literal: string) => readLeafTexts([`[${literal}]`], 'user').slots;
      assert.ok(slotsOf(make(1_000_000)).length > 0, name);
      assertLinear(name, make, slotsOf, 100_000);
    }
  });
});
