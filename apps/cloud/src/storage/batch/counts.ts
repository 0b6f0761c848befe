import type { PreparedEntry } from '../audit/chain.ts';
import type { Admission, AdmissionResult } from '../model/usage.ts';
import { dayOf } from '../stored-values.ts';
import type { Increment, PreparedDecision } from './batch.ts';

/** Adds up requests by account and period. Iterates in sorted order, so that all writers lock rows in that order. */
export class Counts {
  #byRow = new Map<string, Increment>();

  get size(): number {
    return this.#byRow.size;
  }

  addRequest(accountId: string, device: boolean, day: string): void {
    this.add({ accountId, period: day, requests: 1, deviceRequests: device ? 1 : 0 });
    this.add({ accountId, period: day.slice(0, 7), requests: 1, deviceRequests: device ? 1 : 0 });
  }

  add(increment: Increment): void {
    const name = `${increment.accountId} ${increment.period}`;
    const row = this.#byRow.get(name);
    if (row === undefined) this.#byRow.set(name, { ...increment });
    else {
      row.requests += increment.requests;
      row.deviceRequests += increment.deviceRequests;
    }
  }

  /** Requests counted for one row, named `<account> <period>`. */
  requestsOf(name: string): number {
    return this.#byRow.get(name)?.requests ?? 0;
  }

  sorted(): Increment[] {
    return [...this.#byRow.keys()].sort().map((name) => this.#byRow.get(name)!);
  }

  /** Returns everything counted so far and resets the counts. */
  take(): Increment[] {
    if (this.#byRow.size === 0) return [];
    const all = this.sorted();
    this.#byRow = new Map();
    return all;
  }
}

/** Name of the counter that the limit of an admission applies to. */
export function monthRow(admission: Admission): string {
  return `${admission.accountId} ${dayOf(admission.nowMs).slice(0, 7)}`;
}

/**
 * Admits requests in order of arrival. `stored` has the monthly counts as locked by this transaction. Requests that
 * the same batch has counted already (`counts`) come first; admitted requests are added to them.
 */
export function decideAdmissions(
  admissions: readonly Admission[],
  stored: ReadonlyMap<string, number>,
  counts: Counts,
): readonly AdmissionResult[] {
  const used = new Map<string, number>();
  for (const [row, requests] of stored) used.set(row, requests + counts.requestsOf(row));
  return admissions.map((admission) => {
    const row = monthRow(admission);
    const before = used.get(row) ?? 0;
    if (admission.limit !== null && !admission.device && before >= admission.limit) {
      return { admitted: false, used: before };
    }
    used.set(row, before + 1);
    counts.addRequest(admission.accountId, admission.device, dayOf(admission.nowMs));
    return { admitted: true, used: before + 1 };
  });
}

/** Returns the audit entries of new decisions by organization; adds their requests to the counts. */
export function chainEntries(
  decisions: readonly PreparedDecision[],
  counts: Counts,
): ReadonlyMap<string, readonly PreparedEntry[]> {
  const chains = new Map<string, PreparedEntry[]>();
  for (const { entry, day, usage } of decisions) {
    const chain = chains.get(entry.organizationId);
    if (chain === undefined) chains.set(entry.organizationId, [entry]);
    else chain.push(entry);
    if (usage !== null) counts.addRequest(usage.accountId, usage.device, day);
  }
  return chains;
}
