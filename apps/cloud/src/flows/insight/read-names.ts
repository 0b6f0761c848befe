import type { Storage } from '../../storage/storage.ts';

export interface NameDeps {
  readonly storage: Pick<Storage, 'members' | 'devices' | 'keys' | 'projects'>;
}

/** Names of the objects that records identify by id. */
export interface Names {
  /** Returns the name of a person, device, key or project; the id itself if the object no longer exists. */
  of(id: string): string;
  /** Returns the name; null if no such object exists any more. */
  find(id: string | null): string | null;
}

export async function readNames({ storage }: NameDeps, organizationId: string): Promise<Names> {
  const [members, devices, keys, projects] = await Promise.all([
    storage.members.list(organizationId),
    storage.devices.list(organizationId),
    storage.keys.list(organizationId),
    storage.projects.list(organizationId),
  ]);
  const names = new Map<string, string>([['operator', 'Operator']]);
  for (const { userId, name, email } of members) names.set(userId, name ?? email);
  for (const { id, name } of [...devices, ...keys, ...projects]) names.set(id, name);
  return {
    of: (id) => names.get(id) ?? id,
    find: (id) => (id === null ? null : (names.get(id) ?? null)),
  };
}
