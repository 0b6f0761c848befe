import type { SecurityEvent, Storage, UsageCounts, UsagePlace } from '../../storage/storage.ts';
import type { Principal } from '../authenticate-key.ts';
import type { Clock } from '../clock.ts';

/** Counts usage by project, key, device and model. What is counted is stored every few seconds. */
export interface UsageMeter {
  decided(event: SecurityEvent): void;
  /** A provider was called; without `tokens` its response said nothing of its usage. */
  called(principal: Caller, call: ProviderCall): void;
  /** Rejected by a limit or a scope. */
  rejected(principal: Caller): void;
  /** Stores what was counted. What cannot be stored is counted with what follows. */
  flush(): Promise<void>;
}

type Caller = Pick<Principal, 'organizationId' | 'projectId' | 'keyId' | 'deviceId'>;

export interface ProviderCall {
  readonly model: string | null;
  readonly isError: boolean;
  readonly ms: number;
  readonly tokens: { readonly input: number; readonly output: number } | null;
}

export interface MeterDeps {
  readonly storage: Pick<Storage, 'usageDetails'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Clients name models as they like: of an organization's further ones in a day only the sum is stored. */
const MAX_MODELS = 200;
const MAX_MODEL_LENGTH = 128;
const OTHER = 'other';

export function createUsageMeter({ storage, clock }: MeterDeps): UsageMeter {
  let counted = new Map<string, UsagePlace & UsageCounts>();
  const models = createModelNames();
  let flushing: Promise<void> = Promise.resolve();

  function countsOf(caller: Caller | SecurityEvent, model: string | null, atMs: number): UsageCounts {
    const day = new Date(atMs).toISOString().slice(0, 10);
    const { organizationId } = caller;
    const [projectId, keyId, deviceId] = [caller.projectId ?? '', caller.keyId ?? '', caller.deviceId ?? ''];
    const known = models.nameFor(organizationId, day, model ?? '');
    const name = [organizationId, day, projectId, keyId, deviceId, known].join(' ');
    let counts = counted.get(name);
    if (counts === undefined) {
      counts = { organizationId, day, projectId, keyId, deviceId, model: known, ...NOTHING };
      counted.set(name, counts);
    }
    return counts;
  }

  async function store(): Promise<void> {
    if (counted.size === 0) return;
    const taken = counted;
    counted = new Map();
    try {
      await storage.usageDetails.add([...taken.values()]);
    } catch (error) {
      for (const [name, counts] of taken) addTo(counted, name, counts);
      throw error;
    }
  }

  return {
    decided(event) {
      const counts = countsOf(event, event.model, event.atMs);
      if (event.direction === 'input') counts.requests += 1;
      if (event.decision === 'block') counts.blocked += 1;
      if (event.decision === 'redact') counts.redacted += 1;
      counts.scans += 1;
      counts.scanUs += event.latencyUs;
    },
    called(principal, { model, isError, ms, tokens }) {
      const counts = countsOf(principal, model, clock.now());
      counts.calls += 1;
      counts.callMs += ms;
      if (isError) counts.callErrors += 1;
      else if (tokens === null) counts.unmetered += 1;
      counts.inputTokens += tokens?.input ?? 0;
      counts.outputTokens += tokens?.output ?? 0;
    },
    rejected(principal) {
      countsOf(principal, null, clock.now()).rejected += 1;
    },
    flush() {
      // One after the other: whoever waits for a flush finds what was counted before.
      flushing = flushing.then(store, store);
      return flushing;
    },
  };
}

const NOTHING: Readonly<UsageCounts> = {
  ...{ requests: 0, blocked: 0, redacted: 0, rejected: 0, calls: 0, callErrors: 0, unmetered: 0 },
  ...{ inputTokens: 0, outputTokens: 0, scans: 0, scanUs: 0, callMs: 0 },
};

function addTo(
  counted: Map<string, UsagePlace & UsageCounts>,
  name: string,
  more: UsagePlace & UsageCounts,
): void {
  const counts = counted.get(name);
  if (counts === undefined) {
    counted.set(name, more);
    return;
  }
  for (const field of Object.keys(NOTHING) as (keyof UsageCounts)[]) counts[field] += more[field];
}

/** The names of models of each organization today. */
function createModelNames() {
  let today = '';
  let byOrganization = new Map<string, Set<string>>();
  return {
    nameFor(organizationId: string, day: string, model: string): string {
      if (day > today) {
        today = day;
        byOrganization = new Map();
      }
      const name = model.slice(0, MAX_MODEL_LENGTH);
      let names = byOrganization.get(organizationId);
      if (names === undefined) {
        names = new Set();
        byOrganization.set(organizationId, names);
      }
      if (names.has(name)) return name;
      if (names.size >= MAX_MODELS) return OTHER;
      names.add(name);
      return name;
    },
  };
}
