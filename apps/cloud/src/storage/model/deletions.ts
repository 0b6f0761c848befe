/** Ids of everything that was deleted or revoked with a project, as the audit log names them. */
export interface DeletedWithProject {
  readonly keys: readonly string[];
  readonly devices: readonly string[];
  readonly enrollments: readonly string[];
}

export interface DeletedWithOrganization extends DeletedWithProject {
  readonly projects: readonly string[];
  readonly members: readonly string[];
}

/**
 * Deletes a parent and its dependents, in a transaction. Audit rows stay, with ids only. The next run of retention
 * deletes the events and records that.
 */
export interface Deletions {
  /** Also revokes its devices and cancels the open requests of its keys and devices. null: no such project. */
  removeProject(organizationId: string, projectId: string): Promise<DeletedWithProject | null>;
  /**
   * Locks the organization until the transaction ends: new members wait and then find it deleted. Returns the number
   * of members; null: no such organization.
   */
  lockOrganization(
    organizationId: string,
  ): Promise<{ readonly ownerId: string; readonly members: number } | null>;
  /** Removes an organization that is locked. */
  removeOrganization(organizationId: string): Promise<DeletedWithOrganization>;
}
