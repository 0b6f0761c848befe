import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type ExtractedBody,
  formatByName,
  replacementsByPath,
  type WireFormat,
  writeTexts,
} from '../../../shared/providers/index.ts';
import { parseStrictJson, parseStrictJsonText, type Replacement } from '../../../shared/text/index.ts';
import { SAMPLES } from '../../support/provider-samples.ts';
import { leavesOfSource } from './leaves.ts';
import { markOf, oddJson } from './marked-texts.ts';
import { type MarkedBody, requestsOf, responsesOf } from './provider-bodies.ts';

const MASK = '[EMAIL]';
const oddness = fc.array(fc.nat({ max: 5_039 }), { minLength: 4, maxLength: 40 });
const bodies = fc
  .constantFrom(...SAMPLES)
  .chain(({ endpoint: { name } }) => fc.tuple(fc.constant(name), requestsOf(name), responsesOf(name)));

/**
 * Bodies as their providers document them, with unique marks as texts and unknown members: each text is one slot's as
 * it is, a request is written where it is read, and nothing else of it changes.
 */
export const markedBodies = fc.property(
  bodies,
  oddness,
  fc.nat(),
  ([name, request, response], numbers, pick) => {
    const format = formatByName(name);
    holdRead(format.readResponse(response.value), response);
    const before = JSON.stringify(request.value);
    const reading = format.readRequest(request.value);
    assert.equal(JSON.stringify(request.value), before, 'reading changes the body');
    holdRead(reading, request);
    const paths = reading.slots.map(({ path }) => path);
    assert.equal(new Set(paths).size, paths.length, `a path occurs twice in ${paths.join(' ')}`);
    const texts = new Set(reading.slots.map(({ text }) => text));
    for (const leaf of leavesOfSource(before)) {
      assert.ok(texts.has(leaf) || texts.has(insideOf(leaf)), `no slot is the leaf ${JSON.stringify(leaf)}`);
    }
    holdWritten(format, oddJson(request.value, numbers), request.marks, pick % request.marks);
  },
);

function holdRead({ slots }: ExtractedBody, { marks }: MarkedBody): void {
  for (let i = 0; i < marks; i++) {
    assert.ok(
      slots.some(({ text }) => text.includes(markOf(i))),
      `${markOf(i)} is in no slot`,
    );
  }
}

/** The content of base64, bare or in a data: URL. */
function insideOf(leaf: string): string {
  return Buffer.from(leaf.replace(/^data:[^,]*;base64,/, ''), 'base64').toString('utf8');
}

/** Without a mask the source stays as it is; one mask changes one literal; masks of all leave those in signed blocks. */
function holdWritten(format: WireFormat, source: string, marks: number, picked: number): void {
  const body = parseStrictJson(new TextEncoder().encode(source));
  const { slots } = format.readRequest(body.value);
  const write = (byIndex: ReadonlyMap<number, readonly Replacement[]>) =>
    writeTexts(body.source, replacementsByPath(slots, byIndex));
  assert.equal(writeTexts(body.source, new Map()), source);
  assert.equal(write(new Map([[0, []]])), source);

  const all = Array.from({ length: marks }, (_, i) => markOf(i));
  const isSigned = (mark: string): boolean =>
    slots.some(({ text, signedBlock }) => signedBlock !== undefined && text.includes(mark));
  const signed = all.filter(isSigned);
  const seenIn = (written: string): string[] => {
    const texts = format.readRequest(parseStrictJsonText(written)).slots.map(({ text }) => text);
    return [...all, MASK].filter((mark) => texts.some((text) => text.includes(mark)));
  };
  assert.deepEqual(seenIn(write(masksOf(slots, all))), [...signed, MASK]);
  const one = write(masksOf(slots, [all[picked]!]));
  if (isSigned(all[picked]!)) {
    assert.equal(one, source);
    return;
  }
  assert.deepEqual(seenIn(one), [...all.toSpliced(picked, 1), MASK]);
  const literals = (text: string): string[] => text.match(/"(?:[^"\\]|\\.)*"|[^"]+/g) ?? [];
  const [was, is] = [literals(source), literals(one)];
  const changed = was.filter((part, i) => part !== is[i]);
  assert.equal(is.length, was.length);
  assert.ok(changed.length === 1 && changed[0]?.startsWith('"'), `more than one literal: ${changed}`);
}

function masksOf(slots: ExtractedBody['slots'], marks: readonly string[]): Map<number, Replacement[]> {
  const byIndex = new Map<number, Replacement[]>();
  for (const [i, { text }] of slots.entries()) {
    const found = marks.flatMap((mark) => {
      const places: Replacement[] = [];
      for (let start = text.indexOf(mark); start !== -1; start = text.indexOf(mark, start + 1)) {
        places.push({ start, end: start + mark.length, text: MASK });
      }
      return places;
    });
    if (found.length > 0) byIndex.set(i, found);
  }
  return byIndex;
}

/** A response or a stream of any shape is read without an error. */
export const anyShapes = fc.property(
  fc.constantFrom(...SAMPLES),
  fc.jsonValue({ maxDepth: 6 }),
  fc.string(),
  ({ endpoint }, value, text) => {
    const format = formatByName(endpoint.name);
    format.readResponse(value);
    format.readStream(text);
    format.readStream(`data: ${JSON.stringify(value)}\n\nevent: ${text}\n\n`);
    const frame = { type: text, delta: value, choices: [value], content_block: value };
    format.readStream(`data: ${JSON.stringify(frame)}\r\r`);
  },
);
