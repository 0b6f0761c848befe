import type { DecisionEvent } from '../../inspect/decision-event.ts';

/** A host that the policy inspects, but whose traffic is not read or whose connections are refused. */
export interface UnreadHost {
  readonly host: string;
  /** False: its connections are refused. */
  readonly passes: boolean;
  /** For the user; may name a program of this computer. */
  readonly note: string;
}

export interface UnreadHosts {
  /** True if this changes the list. */
  record(event: DecisionEvent): boolean;
  list(): readonly UnreadHost[];
}

/** Such an event recurs once a minute while its cause lasts. */
const LASTS_MS = 60_000;
/** A pinned app is tunneled for this long, also on existing connections. */
const TUNNELED_MS = 60 * 60 * 1000;
const MAX_HOSTS = 100;

export function createUnreadHosts(now: () => number): UnreadHosts {
  const hosts = new Map<
    string,
    { readonly entry: UnreadHost; readonly fromMs: number; readonly lastsMs: number }
  >();

  function forgetOld(): void {
    const nowMs = now();
    for (const [key, { fromMs, lastsMs }] of hosts) {
      // An earlier time means that the clock was set back.
      if (nowMs < fromMs || nowMs - fromMs >= lastsMs) hosts.delete(key);
    }
  }

  return {
    list() {
      forgetOld();
      return [...hosts.values()].map(({ entry }) => entry);
    },
    record({ host, reason, done, note }) {
      if (reason !== 'no_certificate' && reason !== 'pinned') return false;
      const passes = done === 'forwarded';
      const key = `${host} ${reason} ${done}`;
      forgetOld();
      const isNew = !hosts.delete(key);
      if (hosts.size >= MAX_HOSTS) hosts.delete(hosts.keys().next().value as string);
      const lastsMs = reason === 'pinned' && passes ? TUNNELED_MS : LASTS_MS;
      hosts.set(key, { entry: { host, passes, note: note ?? '' }, fromMs: now(), lastsMs });
      return isNew;
    },
  };
}

/** One line for a person. */
export function unreadSentence({ host, passes, note }: UnreadHost): string {
  return `${host} is ${passes ? 'not inspected' : 'not reachable for an app'}: ${note}`;
}
