/** A periodic task, run by any number of instances. `P`: its dependencies. */
export interface Job<P> {
  readonly everyMs: number;
  /** Runs what is due. `ending` is aborted when the service shuts down. */
  readonly run: (parts: P, ending: AbortSignal) => Promise<unknown>;
  /** Logged when a run fails, once until a run succeeds again. */
  readonly failure: string;
  /** Time until the first run, if that is not a period. */
  readonly firstAfterMs?: number;
  /** Ends work that a run left running in the background. */
  readonly close?: (parts: P) => Promise<void> | void;
  /** Maximum time that a shutdown waits for a run. Default: until it has ended. */
  readonly stopWithinMs?: number;
}

export interface JobLog {
  error(fields: object, message: string): void;
}

/** Runs the job until stopped, never twice concurrently; stopping waits for the current run. */
export function startJob<P>(
  job: Job<P>,
  parts: P,
  log: JobLog,
  everyMs: number = job.everyMs,
): { stop(): Promise<void> } {
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  let hasFailed = false;
  const runOnce = async (): Promise<void> => {
    try {
      await job.run(parts, ending.signal);
      hasFailed = false;
    } catch (err) {
      if (!hasFailed && !ending.signal.aborted) log.error({ err }, job.failure);
      hasFailed = true;
    } finally {
      running = undefined;
    }
  };
  const start = (): void => {
    running ??= runOnce();
  };
  const timer = setInterval(start, everyMs).unref();
  const first = job.firstAfterMs === undefined ? undefined : setTimeout(start, job.firstAfterMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      clearTimeout(first);
      ending.abort();
      await job.close?.(parts);
      await (job.stopWithinMs === undefined ? running : within(job.stopWithinMs, running));
    },
  };
}

/** Waits for a run, at most for this time. */
async function within(ms: number, running: Promise<void> | undefined): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms).unref();
  await Promise.race([running, late]);
  clearTimeout(timer);
}
