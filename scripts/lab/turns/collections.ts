/** When a thread collects garbage. */
import { PerformanceObserver } from 'node:perf_hooks';

/** In milliseconds since 1970: threads have clocks of their own. `performance.timeOrigin` is that of the process. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Records when this thread collects garbage. */
export function watchCollections(): { take(): Period[] } {
  const offsetMs = Date.now() - performance.now();
  let periods: Period[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      const fromMs = offsetMs + startTime;
      periods.push({ fromMs, toMs: fromMs + duration });
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    take() {
      const taken = periods;
      periods = [];
      return taken;
    },
  };
}
