import type { Draw } from './marked-texts.ts';

/** Formats an event in any way that the standard allows, including lines that readers skip. */
export function spellEvent(d: Draw, data: string, event?: string): string {
  const end = ['\n', '\n', '\r\n', '\r'][d.below(4)] ?? '\n';
  const gap = d.below(4) === 0 ? '' : ' ';
  const lines = [
    ...(event === undefined ? [] : [`event:${gap}${event}`]),
    ...(d.below(6) === 0 ? [`: ${d.mark()}`] : []),
    ...(d.below(9) === 0 ? [`id: ${d.mark()}`] : []),
    ...(d.below(9) === 0 ? ['retry: 10'] : []),
    ...splitData(d, data).map((part) => `data:${gap}${part}`),
  ];
  return `${lines.join(end)}${end}${end}`;
}

/** Splits JSON over several data lines: a line end is only allowed in whitespace between members. */
function splitData(d: Draw, data: string): string[] {
  if (d.below(4) !== 0) return [data];
  const at = data.indexOf('{') + 1;
  return at > 0 ? [data.slice(0, at), data.slice(at)] : [data];
}

/** Splits the bytes into packets at any position, also within a character. */
export function inPackets(d: Draw, text: string): Uint8Array[] {
  const bytes = Buffer.from(text);
  const packets: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = d.below(3) === 0 ? 1 + d.below(7) : 64 + d.below(4_000);
    packets.push(bytes.subarray(at, at + size));
    at += size;
  }
  return packets;
}
