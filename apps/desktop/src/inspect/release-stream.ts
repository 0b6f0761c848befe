import { resolveRuleset } from '@csg/shared/detection';
import { createRelease, LiveStream } from '@csg/shared/streaming';
import type { InspectedRequest } from './evaluate-reading.ts';
import type { RequestReading } from './request-reading.ts';

/** Releases the bytes of a stream once nothing that the policy blocks can begin or end in them. */
export function releaseStream(
  { compiled, host }: InspectedRequest,
  { format, model, restores }: RequestReading,
  nowMs: number,
): LiveStream {
  const ruleset = resolveRuleset(compiled.ruleset, { host, model, atMs: nowMs });
  const release = createRelease({ format: format!, ruleset, workspace: compiled.workspace, restores });
  return new LiveStream(release, () => {});
}
