export interface RepeatedWork {
  /** Does what is due now. */
  readonly work: () => Promise<unknown>;
  readonly everyMs: number;
  readonly log: { error(fields: object, message: string): void };
  /** Said once when it fails, until it works again. */
  readonly fault: string;
}

/** Does something every so often, never twice at once, until stopped; stopping waits for what is under way. */
export function repeat({ work, everyMs, log, fault }: RepeatedWork): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  let hasFailed = false;
  const once = async (): Promise<void> => {
    try {
      await work();
      hasFailed = false;
    } catch (err) {
      if (!hasFailed) log.error({ err }, fault);
      hasFailed = true;
    } finally {
      running = undefined;
    }
  };
  const timer = setInterval(() => {
    running ??= once();
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
