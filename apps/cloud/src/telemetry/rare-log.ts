export const QUIET_MS = 60_000;

/** What goes wrong again and again is one line a minute, with how often it went wrong since the last. */
export function createRareLog(
  log: { warn(fields: object, message: string): void },
  nowMs: () => number,
): (cause: unknown) => void {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  let unsaid = 0;
  return (cause) => {
    unsaid += 1;
    if (nowMs() - saidAtMs < QUIET_MS) return;
    log.warn(
      { cause: cause instanceof Error ? cause.message : String(cause), times: unsaid },
      'the OpenTelemetry collector was not told everything',
    );
    saidAtMs = nowMs();
    unsaid = 0;
  };
}
