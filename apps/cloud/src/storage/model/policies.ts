import type { CreatePolicy, PolicyAction, PolicyRules, ThreatType } from '@csg/shared/contract';
import { flag, hidden, json, jsonOr, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** `pol_…`. Without a project it holds for the whole organization. */
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
  /** Seeded: tells what the project's preset does, so that people see it; adds nothing to it. */
  fromPreset: flag,
  rules: jsonOr<PolicyRules>({}),
  /** Counts up with every change, so that who changes an old one is told. */
  version: number,
  createdAtMs: number,
  updatedAtMs: number,
});
export type Policy = RecordOf<typeof policyTable>;

/** A policy as it was from a version on. */
export const policyVersionTable = table({
  policyId: text,
  organizationId: hidden(text),
  version: number,
  /** Who made it so, as the audit log names them; null: it was so before versions were kept. */
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
  /** Throws `not_found`; `conflict` where it has another version by now than `ifVersion`. */
  update(
    organizationId: string,
    policyId: string,
    change: Partial<PolicyInput>,
    ifVersion?: number,
  ): Promise<Policy>;
  remove(organizationId: string, policyId: string): Promise<boolean>;
  /** A version that is stored already stays as it is. */
  saveVersion(organizationId: string, version: PolicyVersion): Promise<void>;
  /** The newest first, at most 100. */
  listVersions(organizationId: string, policyId: string): Promise<readonly PolicyVersion[]>;
}
