import assert from 'node:assert/strict';
import { decideFindings } from '@csg/shared/decision';
import { compileRuleset, type Finding, type Ruleset, scan, Workspace } from '@csg/shared/detection';
import { AMAZON_STREAM, formatByName, type WireFormat } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';
import { amazonFraming, decodeEventStream } from '../../apps/cloud/src/upstream/amazon/event-stream.ts';
import { LiveRelease } from '../../shared/streaming/live-release.ts';
import { LiveStream } from '../../shared/streaming/live-stream.ts';
import { createRestore, restoreBody as restoringBody } from '../../shared/streaming/restore.ts';
import { createTextGates } from '../../shared/streaming/text-gates.ts';
import { finish } from '../../shared/text/index.ts';
import { createRandom } from './random.ts';
import { rowOf, streamOf } from './response-streams.ts';
import { pick, VALUES } from './response-texts.ts';

const restoreBody = (...given: Parameters<typeof restoringBody>) => finish(restoringBody(...given));

export const workspace = new Workspace();
const TO_RESTORE = { values: VALUES, secretTools: {} };
const restore = createRestore(TO_RESTORE, []);
const blocksAll: Ruleset = compileRuleset({
  useCase: 'support_bot',
  strictness: 'strict',
  policies: [{ id: 'p', action: 'block', threatTypes: ['pii_leak', 'secret_leak', 'hidden_content'] }],
});
export const RULESETS = [
  compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] }),
  compileRuleset({ useCase: 'code_assistant', strictness: 'strict', policies: [] }),
  blocksAll,
];

/** The decoded stream, as its format reads it. */
function unpacked({ streamType }: WireFormat, body: Buffer): string {
  return streamType === AMAZON_STREAM ? finish(decodeEventStream(body)) : body.toString();
}

/** The whole stream with values restored. */
function restoredOf(format: WireFormat, body: Buffer): Buffer {
  const framing = format.streamType === AMAZON_STREAM ? amazonFraming : undefined;
  return restoreBody(TO_RESTORE, { format, framing, body, isStream: true, calls: [] }) ?? body;
}

export interface Released {
  readonly bytes: number;
  readonly blocked: boolean;
  readonly restored: boolean;
}

/** Releases one response, split at random. Throws if a byte of blocked content was released. */
export function checkRelease(seed: number): Released {
  const random = createRandom(seed);
  const ruleset = pick(random, RULESETS);
  const isRestored = random.below(2) === 0;
  const isRow = !isRestored && random.below(3) === 0;
  const { format: name, body, isLate } = isRow ? rowOf(random) : streamOf(random, isRestored);
  const format = formatByName(name);
  const restoring = isRestored
    ? { restore, gates: createTextGates(ruleset, { workspace, isAttacksOnly: true }) }
    : null;
  const source = new LiveStream(
    new LiveRelease({
      frames: format.readFrames()!,
      framing: format.streamType === AMAZON_STREAM ? amazonFraming : undefined,
      gates: createTextGates(ruleset, { workspace }),
      restoring,
      mayCall: () => true,
    }),
    () => {},
  );
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const next = at + 1 + random.below(400);
    source.push(body.subarray(at, next));
    pieces.push(source.take() ?? Buffer.alloc(0));
    at = next;
  }
  const sent = Buffer.concat(pieces);
  const textsIn = (bytes: Buffer) => format.readStream(unpacked(format, bytes)).slots;
  const slots = textsIn(body);
  const due = isRestored ? restoredOf(format, body) : body;
  const whole = Buffer.concat([sent, source.restOf(due)]);
  if (isRestored)
    assert.ok(whole.equals(due), `seed ${seed}: the released part differs from the restored response`);
  else assert.deepEqual(textsIn(whole), slots, `seed ${seed}: a frame was split into others`);
  const recorded = textsIn(source.released());
  const released = textsIn(sent);
  if (!isRestored) assert.deepEqual(recorded, released, `seed ${seed}: another text was recorded`);
  const decisive = [
    ...blockedIn(slots, ruleset).map((one) => ({ ...one, released: recorded })),
    ...(isRestored ? blockedIn(textsIn(due), ruleset) : [])
      .filter(({ finding }) => finding.pii === undefined)
      .map((one) => ({ ...one, released })),
  ];
  for (const { finding, slot, released } of decisive) {
    for (const { path, start } of placesOf(finding, slot)) {
      const text = released.find((one) => one.path === path || one.path === `${path}/text`)?.text ?? '';
      assert.ok(
        text.length <= start || (isLate && start === 0 && PLAIN.test(text)),
        `seed ${seed}: ${finding.rule} begins at ${start} of ${path}, and ${text.length} were released`,
      );
    }
  }
  return {
    bytes: sent.length,
    blocked: decisive.length > 0,
    restored: isRestored && sent.length !== source.released().length,
  };
}

/** The start of a finding in each text that contains part of it. */
function placesOf({ start, end }: Finding, { path, parts }: TextSlot): { path: string; start: number }[] {
  if (parts === undefined) return [{ path, start }];
  // Only the ends of a long text are read again with its neighbors, so a truncated value within it proves nothing.
  const isOfCut = parts.some(
    (part, at) => parts[at + 1]?.path === part.path && start <= part.end && end >= part.end,
  );
  if (isOfCut) return [];
  return parts
    .filter((part) => part.start < end && part.end > start)
    .map((part) => ({ path: part.path, start: part.from + Math.max(0, start - part.start) }));
}

/** A text whose first words belong to no value. */
const PLAIN = /^[^\p{L}\p{N}]{0,12}[^\s\p{N}]{2,24}(?:\s+[^\s\p{N}]{1,24}(?:\s|$)|\s*$)/u;

function blockedIn(slots: readonly TextSlot[], ruleset: Ruleset): { finding: Finding; slot: TextSlot }[] {
  return scan(slots, ruleset, 'output', { workspace })
    .filter((finding) => decideFindings([finding], ruleset, 'output').decision === 'block')
    .map((finding) => ({ finding, slot: slots[finding.slot]! }));
}
