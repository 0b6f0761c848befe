import { resolveRuleset } from '@csg/shared/detection';
import { EVENT_STREAM, type WireFormat } from '@csg/shared/providers';
import { createRelease, LiveBytes } from '@csg/shared/release';
import type { InspectedRequest } from './evaluate-reading.ts';
import type { RequestReading } from './request-reading.ts';

/** Devices do not parse streams of Amazon's binary messages. */
export function isReadByFrame(format: WireFormat): boolean {
  return format.streamType === EVENT_STREAM && format.readFrames() !== null;
}

/** Releases the bytes of a stream once nothing that the policy blocks can begin or end in them. */
export function releaseStream(
  { compiled, host }: InspectedRequest,
  { format, model, restores }: RequestReading,
  nowMs: number,
): LiveBytes {
  const ruleset = resolveRuleset(compiled.ruleset, { host, model, atMs: nowMs });
  const release =
    format === null ? null : createRelease({ format, ruleset, workspace: compiled.workspace, restores });
  if (release === null) throw new Error('streams of this format are not read frame by frame');
  return new LiveBytes(release, () => {});
}
