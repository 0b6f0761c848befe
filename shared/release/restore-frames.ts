import { restoreInFrames, type ToolCall, type WireFormat } from '../providers/index.ts';
import type { Framing } from './framing.ts';
import { createRestore, type ValuesToRestore } from './restore-response.ts';

/** Restores the values of its request in a stream whose frames are not server-sent events. */
export function restoreFrames(
  toRestore: ValuesToRestore,
  {
    format,
    framing,
    body,
    calls,
  }: {
    readonly format: WireFormat;
    readonly framing: Framing;
    readonly body: Buffer;
    readonly calls: readonly ToolCall[];
  },
): Buffer {
  const frames = format.readFrames();
  if (frames === null) return body;
  const parts: { readonly text: string; readonly source: string; readonly bytes: Buffer }[] = [];
  for (let at = 0; at < body.length; ) {
    const end = framing.endOfFrame(body, at, at);
    const bytes = body.subarray(at, end === -1 ? body.length : end);
    parts.push({ text: framing.read(bytes) ?? '', source: framing.sourceOf(bytes), bytes });
    at += bytes.length;
  }
  const restored = restoreInFrames(parts, frames, createRestore(toRestore, calls));
  return Buffer.concat(
    parts.map(({ bytes, source }, at) =>
      restored[at] === source ? bytes : framing.rewrite(bytes, restored[at]!),
    ),
  );
}
