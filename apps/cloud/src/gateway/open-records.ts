import { createUsageMeter, type UsageMeter } from '../flows/usage-report/usage-meter.ts';
import type { Storage } from '../storage/storage.ts';
import type { Traces } from '../telemetry/telemetry.ts';
import { openConfiguredStorage, openConfiguredTelemetry } from './configured-parts.ts';
import type { Opening } from './opening.ts';

export interface Records {
  readonly storage: Storage;
  readonly meter: UsageMeter;
  /** Null if no collector is configured, or only one for metrics. */
  readonly traces: Traces | null;
}

/** Opens the records of the service: its database and, if configured, a collector. */
export async function openRecords({ config, log, clock, metrics, closing }: Opening): Promise<Records> {
  const telemetry = await openConfiguredTelemetry(config, log, metrics.values);
  closing.defer(() => telemetry?.close());
  const storage = await openConfiguredStorage(config, log, clock);
  closing.defer(() => storage.close());
  const traces = telemetry?.traces ?? null;
  const meter = createUsageMeter({ storage, clock, log });
  closing.defer(() => meter.flush().catch((err) => log.error({ err }, 'usage could not be stored')));
  if (traces === null) return { storage, meter, traces };
  return { storage: { ...storage, decisions: traces.instrumentDecisions(storage.decisions) }, meter, traces };
}
