import type { PolicyAction, PolicyRules, ThreatType } from '@csg/shared/contract';

/** `pol_…`. Without a project it holds for the whole organization. */
export interface Policy {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly action: PolicyAction;
  readonly threatTypes: readonly ThreatType[];
  readonly priority: number;
  readonly isActive: boolean;
  /** Seeded: tells what the project's preset does, so that people see it; adds nothing to it. */
  readonly fromPreset: boolean;
  readonly rules: PolicyRules;
  /** Counts up with every change, so that who changes an old one is told. */
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface PolicyInput {
  readonly name: string;
  readonly description?: string | null;
  readonly action: PolicyAction;
  readonly threatTypes: readonly ThreatType[];
  readonly priority: number;
  readonly isActive?: boolean;
  readonly fromPreset?: boolean;
  readonly rules?: PolicyRules;
}

export interface Policies {
  insertMany(
    organizationId: string,
    projectId: string | null,
    rows: readonly PolicyInput[],
  ): Promise<readonly Policy[]>;
  /** The project's active policies and the organization's own, highest priority first. */
  listActive(organizationId: string, projectId: string | null): Promise<readonly Policy[]>;
  /** All of them, active or not, highest priority first. */
  list(organizationId: string): Promise<readonly Policy[]>;
  get(organizationId: string, policyId: string): Promise<Policy | null>;
  /** Throws `not_found`; `conflict` where it has another version by now than `ifVersion`. */
  update(
    organizationId: string,
    policyId: string,
    change: Partial<PolicyInput>,
    ifVersion?: number,
  ): Promise<Policy>;
  remove(organizationId: string, policyId: string): Promise<boolean>;
}
