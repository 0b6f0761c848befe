import type { ProviderCall, Storage, UsageCounts, UsagePlace } from '../../storage/storage.ts';
import type { Principal } from '../authenticate-key.ts';
import type { Clock } from '../clock.ts';

/** Counts usage that is not recorded with a decision. */
export interface UsageMeter {
  /**
   * Counts a call to a provider without a response to decide about. Stored when it resolves; failures are logged. The
   * model is left out, because clients choose its name freely, and each name would create a row.
   */
  called(caller: UsageCaller, call: ProviderCall): Promise<void>;
  /** Counts a rejection by a limit or a scope, stored with the next flush: floods must not cost a write per request. */
  rejected(caller: UsageCaller): void;
  /** Stores pending counts. Counts that cannot be stored are kept for the next flush. */
  flush(): Promise<void>;
}

type UsageCaller = Pick<Principal, 'organizationId' | 'projectId' | 'keyId' | 'deviceId'>;

export interface MeterDeps {
  readonly storage: Pick<Storage, 'usageDetails'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: { error(fields: object, message: string): void };
}

export function createUsageMeter({ storage, clock, log }: MeterDeps): UsageMeter {
  let rejections = new Map<string, UsagePlace & UsageCounts>();
  let flushing: Promise<void> = Promise.resolve();

  const rowOf = (caller: UsageCaller): UsagePlace & UsageCounts => ({
    organizationId: caller.organizationId,
    day: new Date(clock.now()).toISOString().slice(0, 10),
    projectId: caller.projectId ?? '',
    keyId: caller.keyId,
    deviceId: caller.deviceId ?? '',
    model: '',
    ...NOTHING,
  });

  function count(row: UsagePlace & UsageCounts): void {
    const name = [row.organizationId, row.day, row.projectId, row.keyId, row.deviceId].join(' ');
    const known = rejections.get(name);
    if (known === undefined) rejections.set(name, row);
    else known.rejected += row.rejected;
  }

  async function store(): Promise<void> {
    if (rejections.size === 0) return;
    const taken = rejections;
    rejections = new Map();
    try {
      await storage.usageDetails.add([...taken.values()]);
    } catch (error) {
      for (const row of taken.values()) count(row);
      throw error;
    }
  }

  return {
    async called(caller, { isError, ms, tokens }) {
      const counts = {
        ...{ calls: 1, callErrors: isError ? 1 : 0, unmetered: isError || tokens !== null ? 0 : 1 },
        ...{ callMs: ms, inputTokens: tokens?.input ?? 0, outputTokens: tokens?.output ?? 0 },
      };
      try {
        await storage.usageDetails.add([{ ...rowOf(caller), ...counts }]);
      } catch (err) {
        log.error({ err }, 'usage could not be stored');
      }
    },
    rejected(caller) {
      count({ ...rowOf(caller), rejected: 1 });
    },
    flush() {
      // Flushes run one after the other, so that callers find everything that was counted before.
      flushing = flushing.then(store, store);
      return flushing;
    },
  };
}

const NOTHING: Readonly<UsageCounts> = {
  ...{ requests: 0, blocked: 0, redacted: 0, rejected: 0, calls: 0, callErrors: 0, unmetered: 0 },
  ...{ inputTokens: 0, outputTokens: 0, scans: 0, scanUs: 0, callMs: 0 },
};
