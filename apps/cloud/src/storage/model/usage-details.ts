import type { ModelPrice } from '@csg/shared/contract';

/** Whose usage, of what. Empty: none. */
export interface UsagePlace {
  readonly organizationId: string;
  /** YYYY-MM-DD in UTC. */
  readonly day: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly deviceId: string;
  readonly model: string;
}

export interface UsageCounts {
  requests: number;
  blocked: number;
  redacted: number;
  /** By a limit or a scope, before they were evaluated. */
  rejected: number;
  /** Requests that went to a provider, and those of them that failed. */
  calls: number;
  callErrors: number;
  /** Responses without usage fields. */
  unmetered: number;
  inputTokens: number;
  outputTokens: number;
  scans: number;
  scanUs: number;
  callMs: number;
}

export type UsageDimension = 'day' | 'projectId' | 'keyId' | 'deviceId' | 'model';

export type UsageSum = UsageCounts & Partial<Record<UsageDimension, string>>;

export interface UsageDetails {
  /** Adds to what is counted, exact over processes and instances. */
  add(rows: readonly (UsagePlace & UsageCounts)[]): Promise<void>;
  /** Sums of the days, both included, by what they are grouped by. */
  sum(
    organizationId: string,
    range: { readonly fromDay: string; readonly toDay: string },
    by: readonly UsageDimension[],
  ): Promise<readonly UsageSum[]>;
  getPrices(organizationId: string): Promise<readonly ModelPrice[]>;
  setPrices(organizationId: string, prices: readonly ModelPrice[]): Promise<void>;
}
