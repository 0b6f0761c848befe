/** Stands on a connection between two of the harness's parties and says when a moment has come; from then on that connection is silent. */
import { type Front, startTcpProxy } from '../start-tcp-proxy.ts';
import type { WireMoment } from './moment.ts';

export interface Tap extends Front {
  /** Where connections lead to from now on. */
  leadTo(url: string): void;
  /** `mark`: some text of the message that is meant; null: the next message there is. */
  watch(moment: WireMoment, mark: string | null, onReached: () => void): void;
}

interface Watch {
  readonly moment: WireMoment;
  readonly mark: string | null;
  readonly onReached: () => void;
}

export async function startTap(target: string): Promise<Tap> {
  let port = Number(new URL(target).port);
  let watch: Watch | null = null;

  const front = await startTcpProxy(
    () => port,
    (client, behind) => {
      let isSilent = false;
      const reached = (): void => {
        const { onReached } = watch as Watch;
        watch = null;
        isSilent = true;
        onReached();
      };
      const asked = new Passage();
      const answered = new Passage();
      /** Whether the message under way is the one that is watched. */
      let isMeant = false;

      if (watch?.moment === 'connected') reached();
      client.on('data', (chunk) => {
        if (isSilent) return;
        if (watch === null || watch.moment === 'connected') return void behind.write(chunk);
        if (!isMeant) {
          isMeant = watch.mark === null || chunk.includes(watch.mark);
          asked.begin();
          answered.begin();
        }
        if (!isMeant) return void behind.write(chunk);
        const passed = asked.pass(chunk, watch.moment);
        behind.write(passed ?? chunk, () => passed !== null && reached());
      });
      behind.on('data', (chunk) => {
        if (isSilent) return;
        if (!isMeant || watch === null) return void client.write(chunk);
        const wanted =
          watch.moment === 'answer-head' ? 'head' : watch.moment === 'answer-half' ? 'half' : null;
        const passed = wanted === null ? null : answered.pass(chunk, wanted);
        client.write(passed ?? chunk, () => passed !== null && reached());
      });
    },
  );
  return {
    ...front,
    leadTo(url) {
      port = Number(new URL(url).port);
    },
    watch(moment, mark, onReached) {
      watch = { moment, mark, onReached };
    },
  };
}

/** How far one message has passed. */
class Passage {
  #seen = Buffer.alloc(0);

  begin(): void {
    this.#seen = Buffer.alloc(0);
  }

  /** The part of the chunk that may still pass where the moment falls into it; null: it comes later. */
  pass(chunk: Buffer, moment: WireMoment): Buffer | null {
    const before = this.#seen.length;
    this.#seen = Buffer.concat([this.#seen, chunk]);
    const end = this.#seen.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const head = this.#seen.toString('latin1', 0, end);
    const start = end + 4;
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    const size = length === undefined ? null : Number(length);
    // Of a body without a length, half is what its first piece brings.
    const half = size === null ? start + 1 : start + Math.ceil(size / 2);
    const at = moment === 'head' ? start : moment === 'half' ? half : start + (size ?? 0);
    return this.#seen.length < at ? null : chunk.subarray(0, at - before);
  }
}
