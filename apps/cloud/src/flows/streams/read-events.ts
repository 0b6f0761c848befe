/** One event of a stream, as it came. */
export interface StreamEvent {
  /** With the empty line that ends it. */
  readonly raw: string;
  readonly data: string;
}

export class EventTooLongError extends Error {}

const END = /\r\n\r\n|\n\n|\r\r|\n\r\n/g;

/** The events of a stream (WHATWG HTML, server-sent events). What is no whole event at its end is dropped. */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  maxCharacters: number,
): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let pending = '';
  let searched = 0;
  for await (const chunk of chunks) {
    pending += decoder.decode(chunk, { stream: true });
    let start = 0;
    END.lastIndex = searched;
    for (let end = END.exec(pending); end !== null; end = END.exec(pending)) {
      // More than one generator may be at work.
      const next = END.lastIndex;
      yield eventOf(pending.slice(start, next));
      start = next;
      END.lastIndex = next;
    }
    pending = pending.slice(start);
    searched = Math.max(0, pending.length - 3);
    if (pending.length > maxCharacters) throw new EventTooLongError();
  }
}

/** The same event with other data. */
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
