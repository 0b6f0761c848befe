import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config/parse-config.ts';
import type { Clock, Timers } from '../flows/clock.ts';
import type { Metrics } from '../plugins/metrics.ts';

/** Dependencies for opening the parts of the service. */
export interface Opening {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly metrics: Metrics;
  /**
   * Every part registers here how to close what it opened. Closed in reverse order, when the service ends or if a later
   * part cannot be opened.
   */
  readonly closing: AsyncDisposableStack;
}
