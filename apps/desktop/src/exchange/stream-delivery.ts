import type { LiveStream } from '@csg/shared/streaming';
import type { EvaluationTools, InspectedRequest } from '../inspect/evaluate-reading.ts';
import { releaseStream } from '../inspect/release-stream.ts';
import { evaluateResponseBody } from './evaluate-bodies.ts';
import type { ExchangeAction, ExchangeEvent } from './events.ts';
import type { ProviderEnd } from './provider-end.ts';
import { contentEncodingOf } from './response-side.ts';

/** When a client that waits for a stream receives a sign of life. */
interface WaitingTimes {
  readonly firstMs: number;
  readonly everyMs: number;
}

/** Many clients time out if they receive no head for some minutes. */
export const WAITING_TIMES: WaitingTimes = { firstMs: 120_000, everyMs: 15_000 };

type Performed =
  | 'await-stream'
  | 'release-stream'
  | 'release-piece'
  | 'evaluate-response'
  | 'evaluate-released';
export type StreamPerformers = {
  readonly [Type in Performed]: (action: Extract<ExchangeAction, { type: Type }>) => void;
};

export interface StreamDelivery {
  readonly performers: StreamPerformers;
  /** Ends the waiting. */
  stop(): void;
}

/** Performs the actions on a held response: as a whole, or part by part as it can be sent. */
export function createStreamDelivery(
  inspected: InspectedRequest,
  tools: EvaluationTools,
  provider: Pick<ProviderEnd, 'unpack'>,
  times: WaitingTimes,
  feed: (event: ExchangeEvent) => void,
): StreamDelivery {
  let live: LiveStream | null = null;
  let timer: NodeJS.Timeout | undefined;

  function waitFor(ms: number): void {
    timer = setTimeout(() => {
      waitFor(times.everyMs);
      feed({ type: 'waited' });
    }, ms);
    timer.unref();
  }

  async function evaluate(
    action: Parameters<typeof evaluateResponseBody>[1],
    released: LiveStream | null,
  ): Promise<void> {
    try {
      const verdict = await evaluateResponseBody(inspected, action, tools, released);
      feed({ type: 'response-verdict', verdict });
    } catch (error) {
      feed({ type: 'failed', name: (error as Error).name });
    }
  }

  return {
    stop: () => clearTimeout(timer),
    performers: {
      'await-stream'({ head }) {
        provider.unpack(contentEncodingOf(head.headers));
        waitFor(times.firstMs);
      },
      'release-stream'({ prompt }) {
        live = releaseStream(inspected, prompt, tools.now());
      },
      'release-piece'({ bytes }) {
        live!.push(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes));
        const released = live!.take();
        if (released !== null) feed({ type: 'released', bytes: released });
      },
      'evaluate-response': (action) => void evaluate(action, live),
      'evaluate-released'({ prompt, head }) {
        if (live?.hasReleased === true)
          void evaluate({ prompt, head, body: { bytes: live.released() } }, live);
      },
    },
  };
}
