export const QUIET_MS = 60_000;

/** Logs a repeated problem once a minute, with the number of occurrences since the last line. */
export function createThrottledLog(
  log: { warn(fields: object, message: string): void },
  nowMs: () => number,
): (cause: unknown) => void {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  let unlogged = 0;
  return (cause) => {
    unlogged += 1;
    if (nowMs() - loggedAtMs < QUIET_MS) return;
    log.warn(
      { cause: cause instanceof Error ? cause.message : String(cause), times: unlogged },
      'some telemetry could not be sent to the OpenTelemetry collector',
    );
    loggedAtMs = nowMs();
    unlogged = 0;
  };
}
