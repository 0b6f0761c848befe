import type { ModelPrice } from '@csg/shared/contract';

/** The dimensions of a usage row. Empty: none. */
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
  /** Rejected by a limit or a missing scope before evaluation. */
  rejected: number;
  /** Requests sent to a provider, and how many of them failed. */
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

export type LabelDimension = UsageDimension | 'label';
export type LabelSum = UsageCounts & Partial<Record<LabelDimension, string>>;

export interface UsageDetails {
  /** Adds to the stored counts, exact over processes and instances. */
  add(rows: readonly (UsagePlace & UsageCounts)[]): Promise<void>;
  /** Sums over the days, both inclusive, grouped by the given dimensions. */
  sum(
    organizationId: string,
    range: { readonly fromDay: string; readonly toDay: string },
    by: readonly UsageDimension[],
  ): Promise<readonly UsageSum[]>;
  /**
   * The same for the requests of a project with labels: `session=…` or `tag=name=value`. `label`: only this one, or with
   * a beginning that ends with `=`, such as `tag=team=`, each that begins so.
   */
  sumLabels(
    organizationId: string,
    projectId: string,
    range: { readonly fromDay: string; readonly toDay: string },
    of: { readonly by: readonly LabelDimension[]; readonly label: string },
  ): Promise<readonly LabelSum[]>;
  getPrices(organizationId: string): Promise<readonly ModelPrice[]>;
  setPrices(organizationId: string, prices: readonly ModelPrice[]): Promise<void>;
}
