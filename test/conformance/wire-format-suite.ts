import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type ExtractedBody,
  replacementsByPath,
  type WireFormat,
  WORDS,
  writeTexts,
} from '../../shared/providers/index.ts';
import { parseStrictJson, parseStrictJsonText, type Replacement } from '../../shared/text/index.ts';
import { cases, seedFor } from '../support/part.ts';
import { markOf, oddJson } from './marked-texts.ts';
import { requestsOf, responsesOf } from './provider-bodies.ts';

const RUNS = { seed: seedFor('wire formats'), numRuns: cases(50, 150) };
const oddness = fc.array(fc.nat({ max: 5_039 }), { minLength: 4, maxLength: 40 });

const textsOf = (reading: ExtractedBody): string[] => reading.slots.map((slot) => slot.text);
const isSeen = (reading: ExtractedBody, mark: string): boolean =>
  textsOf(reading).some((text) => text.includes(mark));

/** Every string of the body, names included, that is not a known word of the providers. */
function leavesOf(value: unknown, leaves: string[] = []): string[] {
  if (typeof value === 'string') {
    if (value !== '' && !WORDS.values.has(value)) leaves.push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) leavesOf(item, leaves);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (!WORDS.names.has(name)) leaves.push(name);
      leavesOf(member, leaves);
    }
  }
  return leaves;
}

/** The content of base64, bare or in a data: URL. */
function insideOf(leaf: string): string {
  return Buffer.from(leaf.replace(/^data:[^,]*;base64,/, ''), 'base64').toString('utf8');
}

/** Promises of every wire format, tested on generated bodies. */
export function testWireFormat(name: string, format: WireFormat): void {
  describe(`every wire format: ${name}`, () => {
    it('reads every text of a request, every unknown member and every unknown name', () => {
      fc.assert(
        fc.property(requestsOf(name), ({ value, marks }) => {
          const reading = format.readRequest(value);
          for (let i = 0; i < marks; i++) assert.ok(isSeen(reading, markOf(i)), `${markOf(i)} is in no slot`);
          const texts = new Set(textsOf(reading));
          for (const leaf of leavesOf(value))
            assert.ok(
              texts.has(leaf) || texts.has(insideOf(leaf)),
              `no slot holds the leaf ${JSON.stringify(leaf)}`,
            );
        }),
        RUNS,
      );
    });

    it('reads every text of a response', () => {
      fc.assert(
        fc.property(responsesOf(name), ({ value, marks }) => {
          const reading = format.readResponse(value);
          for (let i = 0; i < marks; i++) assert.ok(isSeen(reading, markOf(i)), `${markOf(i)} is in no slot`);
        }),
        RUNS,
      );
    });

    it('gives every slot a unique path and changes nothing it reads', () => {
      fc.assert(
        fc.property(requestsOf(name), ({ value }) => {
          const before = JSON.stringify(value);
          const paths = format.readRequest(value).slots.map((slot) => slot.path);
          assert.equal(new Set(paths).size, paths.length, `a path occurs twice in ${paths.join(' ')}`);
          assert.equal(JSON.stringify(value), before);
        }),
        RUNS,
      );
    });

    it('writes nothing if nothing is replaced', () => {
      fc.assert(
        fc.property(requestsOf(name), oddness, ({ value }, numbers) => {
          const source = oddJson(value, numbers);
          const body = parseStrictJson(new TextEncoder().encode(source));
          const { slots } = format.readRequest(body.value);
          assert.equal(writeTexts(body.source, new Map()), source);
          assert.equal(writeTexts(body.source, replacementsByPath(slots, new Map([[0, []]]))), source);
        }),
        RUNS,
      );
    });

    it('writes where it reads: one mark is replaced, and every other text and byte stays', () => {
      fc.assert(
        fc.property(requestsOf(name), oddness, fc.nat(), ({ value, marks }, numbers, pick) => {
          const source = oddJson(value, numbers);
          const mark = markOf(pick % marks);
          const { slots } = format.readRequest(parseStrictJsonText(source));
          const written = writeTexts(
            source,
            replacementsByPath(
              slots,
              masking(
                slots.map((s) => s.text),
                [mark],
              ),
            ),
          );
          const again = format.readRequest(parseStrictJsonText(written));
          assert.ok(!isSeen(again, mark), `${mark} is still there`);
          assert.ok(isSeen(again, '[EMAIL]'), 'the mask is missing');
          for (let i = 0; i < marks; i++) {
            if (markOf(i) !== mark) assert.ok(isSeen(again, markOf(i)), `${markOf(i)} was lost`);
          }
          const literals = (text: string): string[] => text.match(/"(?:[^"\\]|\\.)*"|[^"]+/g) ?? [];
          const [was, is] = [literals(source), literals(written)];
          assert.equal(is.length, was.length);
          const changed = was.filter((part, i) => part !== is[i]);
          assert.ok(
            changed.length === 1 && changed[0]?.startsWith('"'),
            `more changed than one literal: ${changed}`,
          );
        }),
        RUNS,
      );
    });

    it('masks everything together and leaves a readable body', () => {
      fc.assert(
        fc.property(requestsOf(name), oddness, ({ value, marks }, numbers) => {
          const source = oddJson(value, numbers);
          const { slots } = format.readRequest(parseStrictJsonText(source));
          const all = Array.from({ length: marks }, (_, i) => markOf(i));
          const written = writeTexts(
            source,
            replacementsByPath(
              slots,
              masking(
                slots.map((s) => s.text),
                all,
              ),
            ),
          );
          const again = format.readRequest(parseStrictJsonText(written));
          for (const mark of all) assert.ok(!isSeen(again, mark), `${mark} is still there`);
        }),
        RUNS,
      );
    });

    it('never throws on a response or a stream of any shape', () => {
      fc.assert(
        fc.property(fc.jsonValue({ maxDepth: 6 }), fc.string(), (value, text) => {
          format.readResponse(value);
          format.readStream(text);
          format.readStream(`data: ${JSON.stringify(value)}\n\nevent: ${text}\n\n`);
          format.readStream(
            `data: ${JSON.stringify({ type: text, delta: value, choices: [value], content_block: value })}\r\r`,
          );
        }),
        RUNS,
      );
    });
  });
}

function masking(texts: readonly string[], marks: readonly string[]): Map<number, Replacement[]> {
  const byIndex = new Map<number, Replacement[]>();
  for (const [i, text] of texts.entries()) {
    const list: Replacement[] = [];
    for (const mark of marks) {
      for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
        list.push({ start: at, end: at + mark.length, text: '[EMAIL]' });
      }
    }
    if (list.length > 0) byIndex.set(i, list);
  }
  return byIndex;
}
