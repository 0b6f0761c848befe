/** What was deleted, or revoked, with a project: ids, as the audit log names them. */
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
 * Deletes what others hang on, in a transaction. Audit rows stay, with ids alone; events are deleted by the next run
 * of retention, which writes that down.
 */
export interface Deletions {
  /** Its devices are revoked, open requests of its keys and devices are cancelled. null: no such project. */
  removeProject(organizationId: string, projectId: string): Promise<DeletedWithProject | null>;
  /**
   * Holds the organization until the transaction ends: who would join it meanwhile waits, and then finds none. How many
   * members it has; null: there is no such organization.
   */
  holdOrganization(
    organizationId: string,
  ): Promise<{ readonly ownerId: string; readonly members: number } | null>;
  /** Of one that is held. */
  removeOrganization(organizationId: string): Promise<DeletedWithOrganization>;
}
