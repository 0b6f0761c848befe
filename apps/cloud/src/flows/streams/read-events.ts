/** One event of a stream, unchanged. */
export interface StreamEvent {
  /** Includes the empty line that ends it. */
  readonly raw: string;
  readonly data: string;
}

export class EventTooLongError extends Error {}

const END = /\r\n\r\n|\n\n|\r\r|\n\r\n/;

/** Reads the events of a stream (WHATWG HTML, server-sent events). An incomplete event at the end is dropped. */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  maxCharacters: number,
): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  const end = new RegExp(END, 'g');
  let pending = '';
  let searched = 0;
  for await (const chunk of chunks) {
    pending += decoder.decode(chunk, { stream: true });
    let start = 0;
    end.lastIndex = searched;
    for (let found = end.exec(pending); found !== null; found = end.exec(pending)) {
      yield eventOf(pending.slice(start, end.lastIndex));
      start = end.lastIndex;
    }
    pending = pending.slice(start);
    searched = Math.max(0, pending.length - 3);
    if (pending.length > maxCharacters) throw new EventTooLongError();
  }
}

/** Returns the event with other data. */
export function withData({ raw }: StreamEvent, data: string): string {
  const kept = linesOf(raw).filter((line) => /^(?:id|event|retry):/.test(line));
  return [...kept, ...data.split('\n').map((line) => `data: ${line}`), '', ''].join('\n');
}

function eventOf(raw: string): StreamEvent {
  const data = linesOf(raw).flatMap((line) => {
    if (line === 'data') return [''];
    return line.startsWith('data:') ? [line.slice(line.startsWith('data: ') ? 6 : 5)] : [];
  });
  return { raw, data: data.join('\n') };
}

const linesOf = (raw: string): string[] => raw.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
