/** A repository of a code host, bound to the project whose rules apply to its texts and which records them. */
export interface CodeRepository {
  /** `owner/name`, lower case. */
  readonly fullName: string;
  readonly organizationId: string;
  readonly projectId: string;
}

export interface CodeRepositories {
  /** Binds the repository or replaces its binding; null if it belongs to another organization. */
  bind(organizationId: string, projectId: string, fullName: string): Promise<CodeRepository | null>;
  unbind(organizationId: string, fullName: string): Promise<boolean>;
  list(organizationId: string): Promise<readonly CodeRepository[]>;
  find(fullName: string): Promise<CodeRepository | null>;
  /** false: this delivery was handled, or another worker has held its lease for less than `leaseMs`. */
  begin(deliveryId: string, leaseMs: number): Promise<boolean>;
  finish(deliveryId: string): Promise<void>;
  prune(beforeMs: number): Promise<void>;
}
