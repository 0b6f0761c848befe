import type { DeviceEvent, DeviceEventsReply } from '@csg/shared/contract';
import type { ServiceOutcome } from '../../cloud-client/service-client.ts';
import type { Journal } from '../../journal/open-journal.ts';

export interface EventUploadDeps {
  readonly journal: Pick<Journal, 'next' | 'forget'>;
  readonly send: (events: readonly DeviceEvent[]) => Promise<ServiceOutcome<DeviceEventsReply>>;
  /** Pause after a failed attempt; doubles up to `longestPauseMs`. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

export interface EventUpload {
  /** Sends events if there are any. `isBack`: the service is reachable again, so the pause is skipped. */
  flush(isBack?: boolean): void;
  /** Finishes the request in progress; waiting events stay in the journal. */
  stop(): Promise<void>;
}

const BATCH = 200;

/**
 * Uploads the events of the journal. An event is deleted only after the service has accepted or finally rejected it.
 */
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

  /** Returns whether the next batch can follow immediately. */
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
    // A single event that is too large will never be accepted.
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

/** Returns the ids of events that the service has, or will never accept. */
function idsDone(events: readonly DeviceEvent[], { accepted, rejected }: DeviceEventsReply): string[] {
  return [...accepted, ...rejected.map(({ index }) => events[index]?.event_id ?? '')];
}
