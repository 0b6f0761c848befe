/** Something that is done every so often, by any number of instances. `P`: the parts that it works with. */
export interface Job<P> {
  readonly everyMs: number;
  /** Does what is due now. `ending` says that the service ends. */
  readonly run: (parts: P, ending: AbortSignal) => Promise<unknown>;
  /** Logged when a run fails, once until one works again. */
  readonly failure: string;
  /** Also at the start, not only after the first period. */
  readonly startsImmediately?: true;
  /** Ends what a run left behind to go on by itself. */
  readonly close?: (parts: P) => Promise<void> | void;
  /** The end of the service waits no longer for a run. Default: until it has ended. */
  readonly stopWithinMs?: number;
}

export interface JobLog {
  error(fields: object, message: string): void;
}

/** Runs the job until stopped, never twice at the same time; stopping waits for what is under way. */
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
  if (job.startsImmediately) start();
  return {
    async stop() {
      clearInterval(timer);
      ending.abort();
      await job.close?.(parts);
      await (job.stopWithinMs === undefined ? running : within(job.stopWithinMs, running));
    },
  };
}

/** A run that is still under way by then is left behind. */
async function within(ms: number, running: Promise<void> | undefined): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms).unref();
  await Promise.race([running, late]);
  clearTimeout(timer);
}
