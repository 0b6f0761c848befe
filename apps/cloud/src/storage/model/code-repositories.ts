/** A repository of a code host, and the project whose rules and record its texts get. */
export interface CodeRepository {
  /** `owner/name`, lower case. */
  readonly fullName: string;
  readonly organizationId: string;
  readonly projectId: string;
}

export interface CodeRepositories {
  /** Binds it, or binds it anew; null where another organization has it. */
  bind(organizationId: string, projectId: string, fullName: string): Promise<CodeRepository | null>;
  unbind(organizationId: string, fullName: string): Promise<boolean>;
  list(organizationId: string): Promise<readonly CodeRepository[]>;
  find(fullName: string): Promise<CodeRepository | null>;
  /** False: this delivery was dealt with, or is being dealt with since less than `leaseMs`. */
  begin(deliveryId: string, leaseMs: number): Promise<boolean>;
  finish(deliveryId: string): Promise<void>;
  prune(beforeMs: number): Promise<void>;
}
