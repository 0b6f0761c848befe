import { createTextGates, type Ruleset, type Workspace } from '../detection/index.ts';
import { EVENT_STREAM, type ToolCall, type WireFormat } from '../providers/index.ts';
import type { TextSlot } from '../text/index.ts';
import type { Framing } from './framing.ts';
import { LiveRelease } from './live-release.ts';
import { createRestore, type ValuesToRestore } from './restore-response.ts';

export interface StreamToRelease {
  readonly format: WireFormat;
  /** The framing of streams that are not server-sent events. */
  readonly framing?: Framing | undefined;
  /** Resolved for this request. */
  readonly ruleset: Ruleset;
  /** The developer's texts. */
  readonly systemSlots?: readonly TextSlot[] | undefined;
  readonly workspace: Workspace;
  /** The masked values of the request, to be restored. */
  readonly restores?: ValuesToRestore | null | undefined;
  /** Whether tool calls can be released before the verdict on the whole response; absent: none can. */
  readonly mayCall?: ((calls: readonly ToolCall[]) => boolean) | undefined;
}

/** Creates the release of a stream; null if frames of this format cannot be read one by one. */
export function createRelease({
  format,
  framing,
  ruleset,
  systemSlots,
  workspace,
  restores,
  mayCall,
}: StreamToRelease): LiveRelease | null {
  const frames = format.readFrames();
  if (frames === null || (framing === undefined && format.streamType !== EVENT_STREAM)) return null;
  const gates = createTextGates(ruleset, { systemSlots, workspace });
  const restoring =
    restores == null || restores.values.size === 0
      ? null
      : {
          restore: createRestore(restores, []),
          gates: createTextGates(ruleset, { systemSlots, workspace, isAttacksOnly: true }),
        };
  return new LiveRelease({
    ...{ frames, framing, gates, restoring },
    mayCall: mayCall && ((text) => mayCall(format.readStreamCalls(text))),
  });
}
