import { isClosedPac } from './make-pac.ts';
import { PAC_MARK } from './pac-mark.ts';
import type { RestoreEntry, RestoreJournal } from './restore-journal.ts';
import {
  applyValues,
  type CompanySetting,
  failed,
  ok,
  type ProxyValues,
  type SettingOutcome,
  type SystemProxy,
} from './system-proxy.ts';

export interface NetworkGuard {
  /** Points the computer at a PAC file whose address contains PAC_MARK. On failure all settings are restored. */
  protect(pacUrl: string): Promise<SettingOutcome<null>>;
  /**
   * Like `release`, for a failure or the end of the agent: the setting of a policy that fails closed stays, so that AI
   * hosts remain unreachable. Only removing the agent or the policy ends it.
   */
  releaseUnlessClosed(): Promise<SettingOutcome<{ readonly isKept: boolean }>>;
  /** Restores the values of the journal. `left`: values that the user has changed since, which stay unchanged. */
  release(): Promise<SettingOutcome<{ readonly left: readonly string[] }>>;
  /** True while the computer uses one of our PAC files. */
  isProtected(): Promise<boolean>;
  /** Returns the setting that the computer would use without us. */
  company(): Promise<SettingOutcome<CompanySetting | null>>;
}

export function createNetworkGuard(adapter: SystemProxy, journal: RestoreJournal): NetworkGuard {
  const isOurs = (values: ProxyValues): boolean => adapter.pacOf(values)?.includes(PAC_MARK) === true;

  /** A value that an earlier run of ours set is not the computer's original value. */
  function withoutOurs(values: ProxyValues): ProxyValues {
    if (!isOurs(values)) return values;
    const known = journal.read();
    const earlier =
      known.kind === 'entry' && known.entry.adapter === adapter.name ? known.entry.before : null;
    return { ...adapter.withoutPac(values), ...earlier };
  }

  async function protect(pacUrl: string): Promise<SettingOutcome<null>> {
    const now = await adapter.read();
    if (now.kind === 'failed') return now;
    const changes = adapter.withPac(now.value, pacUrl);
    const before = withoutOurs(now.value);
    try {
      journal.write({ adapter: adapter.name, before, ours: { ...now.value, ...changes } });
    } catch (error) {
      return failed(
        `The restore journal cannot be written, so nothing was changed: ${(error as Error).message}`,
      );
    }
    const applied = await applyValues(adapter, changes);
    if (applied.kind === 'ok') return ok(null);
    await releaseUnlessClosed();
    return applied;
  }

  async function releaseUnlessClosed(): Promise<SettingOutcome<{ readonly isKept: boolean }>> {
    const now = await adapter.read();
    if (now.kind === 'failed') return now;
    if (isOurs(now.value) && isClosedPac(adapter.pacOf(now.value) ?? '')) return ok({ isKept: true });
    const released = await release();
    return released.kind === 'failed' ? released : ok({ isKept: false });
  }

  async function release(): Promise<SettingOutcome<{ readonly left: readonly string[] }>> {
    const known = journal.read();
    if (known.kind === 'empty') return ok({ left: [] });
    const now = await adapter.read();
    if (now.kind === 'failed') return now;
    const { wanted, left } =
      known.kind === 'damaged' || known.entry.adapter !== adapter.name
        ? // The earlier value is unknown. Our setting must be removed; any other belongs to the user.
          { wanted: isOurs(now.value) ? adapter.withoutPac(now.value) : {}, left: [] }
        : earlierValues(known.entry, now.value);
    const restored = await applyValues(adapter, wanted);
    if (restored.kind === 'failed') return restored;
    journal.clear();
    return ok({ left });
  }

  /** Returns the values to restore, and the names of values that the user has changed since. */
  function earlierValues({ before, ours }: RestoreEntry, now: ProxyValues) {
    const changed = Object.keys(ours).filter((name) => ours[name] !== before[name]);
    const left = changed.filter((name) => now[name] !== ours[name] && now[name] !== before[name]);
    // The values only work together: if the user set a new address, its mode stays too.
    if (left.length > 0 && !isOurs(now)) return { wanted: {}, left };
    const restored = changed.filter((name) => !left.includes(name));
    return { wanted: Object.fromEntries(restored.map((name) => [name, before[name] ?? ''])), left };
  }

  return {
    protect,
    release,
    releaseUnlessClosed,
    async isProtected() {
      const now = await adapter.read();
      return now.kind === 'ok' && isOurs(now.value);
    },
    async company() {
      const now = await adapter.read();
      return now.kind === 'failed' ? now : adapter.readCompany(withoutOurs(now.value));
    },
  };
}
