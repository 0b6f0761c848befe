/**
 * Sits on a connection between two parties and reports when a moment has come; from then on that connection is silent.
 */
import { startTcpProxy, type TcpProxy } from '../start-tcp-proxy.ts';
import type { WireMoment } from './moment.ts';

export interface Tap extends TcpProxy {
  /** Sets the target of connections from now on. */
  leadTo(url: string): void;
  /** `mark`: a text of the watched message; null: the next message. */
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
      /** Whether the current message is the watched one. */
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

  /** The part of the chunk that may still pass if it contains the moment; null: it comes later. */
  pass(chunk: Buffer, moment: WireMoment): Buffer | null {
    const before = this.#seen.length;
    this.#seen = Buffer.concat([this.#seen, chunk]);
    const end = this.#seen.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const head = this.#seen.toString('latin1', 0, end);
    const start = end + 4;
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    const size = length === undefined ? null : Number(length);
    // For a body without a length, half is the first chunk.
    const half = size === null ? start + 1 : start + Math.ceil(size / 2);
    const at = moment === 'head' ? start : moment === 'half' ? half : start + (size ?? 0);
    return this.#seen.length < at ? null : chunk.subarray(0, at - before);
  }
}
