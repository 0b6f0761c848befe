import type { DeviceConfig } from '@csg/shared/contract';
import type { ServiceClient } from '../../cloud-client/service-client.ts';
import { verifyConfig } from '../../cloud-client/verify-config.ts';
import type { Journal } from '../../journal/open-journal.ts';
import type { Enrollment } from '../settings/state-files.ts';

export interface ConfigStore {
  current(): DeviceConfig | null;
  /** Why the last received configuration was not used; null: it was. */
  problem(): string | null;
  /** Requests the configuration from the service. Never rejects. */
  refresh(): Promise<RefreshOutcome>;
}

export type RefreshOutcome = 'changed' | 'same' | 'no-answer' | 'refused' | 'not-genuine';

/** Stores the newest genuine configuration, initially the journal's. Only a verified one becomes current. */
export function createConfigStore(
  enrollment: Enrollment,
  journal: Pick<Journal, 'config' | 'saveConfig'>,
  client: Pick<ServiceClient, 'config'>,
): ConfigStore {
  const cached = journal.config();
  const check = cached === null ? null : verifyConfig(cached.text, enrollment, null);
  let config = check?.kind === 'ok' ? check.config : null;
  let etag = config === null ? null : (cached?.etag ?? null);
  let problem = check?.kind === 'refused' ? check.reason : null;

  return {
    current: () => config,
    problem: () => problem,
    async refresh() {
      const received = await client.config(etag);
      if (received.kind !== 'ok') return received.kind;
      const { text, etag: next } = received.value;
      if (text === null) {
        // The service no longer sends the configuration that was rejected.
        problem = null;
        return 'same';
      }
      const fresh = verifyConfig(text, enrollment, config?.issued_at ?? null);
      if (fresh.kind === 'refused') {
        problem = fresh.reason;
        return 'not-genuine';
      }
      problem = null;
      const isOther = fresh.config.policy_version !== config?.policy_version;
      config = fresh.config;
      etag = next;
      try {
        journal.saveConfig({ text, etag });
      } catch {
        // On a full disk it is valid until the next start, and is fetched again then.
      }
      return isOther ? 'changed' : 'same';
    },
  };
}
