import type { DeviceEvent, DeviceEventsReply } from '@csg/shared/contract';
import type { ServiceOutcome } from '../../cloud-client/service-client.ts';
import type { Journal } from '../../journal/open-journal.ts';

export interface EventUploadDeps {
  readonly journal: Pick<Journal, 'next' | 'forget'>;
  readonly send: (events: readonly DeviceEvent[]) => Promise<ServiceOutcome<DeviceEventsReply>>;
  /** After a try that failed; doubles up to `longestPauseMs`. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

export interface EventUpload {
  /** There may be something to send. `isBack`: the service is there again, so that no pause has to be waited for. */
  flush(isBack?: boolean): void;
  /** What is under way ends; what waits stays in the journal. */
  stop(): Promise<void>;
}

const BATCH = 200;

/** Hands in what the journal holds. An event is forgotten only once the service says that it has it, or never wants it. */
export function createEventUpload(deps: EventUploadDeps): EventUpload {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let failures = 0;
  let batch = BATCH;
  let isStopped = false;

  function flush(isBack = false): void {
    if (isBack) {
      clearTimeout(timer);
      timer = undefined;
      failures = 0;
    }
    if (isStopped || running !== null || timer !== undefined) return;
    running = work().finally(() => {
      running = null;
    });
  }

  async function work(): Promise<void> {
    while (!isStopped) {
      const events = deps.journal.next(batch);
      if (events.length === 0) return;
      if (!takeOutcome(events, await deps.send(events))) return later();
    }
  }

  /** Whether the next batch can follow immediately. */
  function takeOutcome(
    events: readonly DeviceEvent[],
    outcome: Awaited<ReturnType<EventUploadDeps['send']>>,
  ): boolean {
    if (outcome.kind === 'ok') {
      const done = idsDone(events, outcome.value);
      deps.journal.forget(done);
      if (done.length === 0) return false;
      failures = 0;
      batch = BATCH;
      return true;
    }
    if (outcome.kind !== 'refused' || outcome.status !== 413) return false;
    // Alone too large: it will never be taken.
    if (events.length === 1) deps.journal.forget(events.map(({ event_id }) => event_id));
    batch = Math.max(1, Math.floor(batch / 2));
    return true;
  }

  function later(): void {
    const pauseMs = Math.min(deps.longestPauseMs, deps.firstPauseMs * 2 ** Math.min(failures++, 20));
    timer = setTimeout(() => {
      timer = undefined;
      flush();
    }, pauseMs);
  }

  return {
    flush,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Events that the service has, or will never take. */
function idsDone(events: readonly DeviceEvent[], { accepted, rejected }: DeviceEventsReply): string[] {
  return [...accepted, ...rejected.map(({ index }) => events[index]?.event_id ?? '')];
}
