import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatByName } from '@csg/shared/providers';
import { LiveRelease } from '../../../shared/streaming/live-release.ts';
import { createTextGates } from '../../../shared/streaming/text-gates.ts';
import { assertLinear } from '../../support/cpu-time.ts';
import { cases, seedFor } from '../../support/part.ts';
import { checkRelease, RULESETS, workspace } from '../../support/release-check.ts';
import { chat } from '../../support/response-streams.ts';

/** Texts of one kind, split in this many ways; for more: `LIVE_SPLITS=200000 node_modules/node/bin/node <this file>`. */
const SPLITS = Number(process.env['LIVE_SPLITS'] ?? cases(1_000, 5_000));
const FIRST = (seedFor('live release') >>> 1) + 1;
describe('text released before the whole was evaluated', () => {
  test(`contains no byte of blocked content, however ${SPLITS} responses are split`, () => {
    let released = 0;
    let blocked = 0;
    let restored = 0;
    for (let seed = FIRST; seed < FIRST + SPLITS; seed++) {
      const one = checkRelease(seed);
      released += one.bytes;
      if (one.blocked) blocked++;
      if (one.restored) restored++;
    }
    assert.ok(released > SPLITS * 100, `${released} bytes released`);
    assert.ok(blocked > SPLITS / 10, `${blocked} were blocked`);
    assert.ok(restored > SPLITS / 100, `values were restored in ${restored} that were released`);
  });
});

test('a long frame in tiny chunks takes linear time', () => {
  const make = (size: number) => Buffer.from(`: ${'x'.repeat(size)}\n\n${chat('content')('Hi there')}`);
  const run = (body: Buffer) => {
    const frames = formatByName('openai-chat')!.readFrames()!;
    const release = new LiveRelease({ frames, gates: createTextGates(RULESETS[0]!, { workspace }) });
    for (let at = 0; at < body.length; at += 8) release.push(body.subarray(at, at + 8));
    return release.released;
  };
  const body = make(20_000);
  assert.ok(run(body) >= body.indexOf('data:'));
  assertLinear('frame', make, run, 20_000);
});
