import type { CreatePolicy, PolicyAction, PolicyRules, ThreatType } from '@csg/shared/contract';
import { flag, hidden, json, jsonOr, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** `pol_…`. Without a project it applies to the whole organization. */
export const policyTable = table({
  id: text,
  organizationId: text,
  projectId: orNull(text),
  name: text,
  description: orNull(text),
  action: word<PolicyAction>(),
  threatTypes: json<readonly ThreatType[]>(),
  priority: number,
  isActive: flag,
  /** Created from the project's preset to display its rules; has no effect itself. */
  fromPreset: flag,
  rules: jsonOr<PolicyRules>({}),
  /** Increases with every change, so that an edit of an outdated version is detected. */
  version: number,
  createdAtMs: number,
  updatedAtMs: number,
});
export type Policy = RecordOf<typeof policyTable>;

/** A version of a policy, valid from its time on. */
export const policyVersionTable = table({
  policyId: text,
  organizationId: hidden(text),
  version: number,
  /** Actor of the change, as in the audit log; null: older than version history. */
  changedBy: orNull(text),
  policy: json<CreatePolicy>(),
  atMs: number,
});
export type PolicyVersion = RecordOf<typeof policyVersionTable>;

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
  /** Throws `not_found`, or `conflict` if the current version is not `ifVersion`. */
  update(
    organizationId: string,
    policyId: string,
    change: Partial<PolicyInput>,
    ifVersion?: number,
  ): Promise<Policy>;
  remove(organizationId: string, policyId: string): Promise<boolean>;
  /** Has no effect if the version is stored already. */
  saveVersion(organizationId: string, version: PolicyVersion): Promise<void>;
  /** Newest first, at most 100. */
  listVersions(organizationId: string, policyId: string): Promise<readonly PolicyVersion[]>;
}
