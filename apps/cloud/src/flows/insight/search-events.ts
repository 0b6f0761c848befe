import type { EventQuery } from '@csg/shared/contract';
import type { EventFilter, EventSearch, Storage } from '../../storage/storage.ts';

export interface SearchDeps {
  readonly storage: Pick<Storage, 'members' | 'devices' | 'keys' | 'projects'>;
}

/** Limits the size of the query; with more keys or devices of one name, people search by id. */
const MAX_IDS = 1_000;

/** What storage compares for the filters of a page, with names resolved as they are now. */
export async function readEventFilter(
  deps: SearchDeps,
  organizationId: string,
  { q, user_id: userId, ...query }: EventQuery,
): Promise<EventFilter> {
  return {
    ...columnFilter(query),
    ...(userId === undefined ? {} : { sentBy: await readSentBy(deps, organizationId, userId) }),
    ...(q === undefined || q.trim() === '' ? {} : { search: await readSearch(deps, organizationId, q) }),
  };
}

/** Resolves a search text: projects, keys and devices with a matching name, and those of people who match. */
async function readSearch(
  { storage }: SearchDeps,
  organizationId: string,
  text: string,
): Promise<EventSearch> {
  const [members, devices, keys, projects] = await Promise.all([
    storage.members.list(organizationId),
    storage.devices.list(organizationId),
    storage.keys.list(organizationId),
    storage.projects.list(organizationId),
  ]);
  const wanted = text.trim().toLowerCase();
  const contains = (name: string | null) => name?.toLowerCase().includes(wanted) ?? false;
  const people = new Set(
    members.filter(({ name, email }) => contains(name) || contains(email)).map(({ userId }) => userId),
  );
  const isOfPerson = (userId: string | null) => userId !== null && people.has(userId);
  const idsOf = <T extends { readonly id: string }>(all: readonly T[], isMatch: (one: T) => boolean) =>
    all
      .filter(isMatch)
      .slice(0, MAX_IDS)
      .map(({ id }) => id);
  return {
    text: text.trim(),
    projectIds: idsOf(projects, ({ name }) => contains(name)),
    keyIds: idsOf(
      keys,
      ({ name, userId, deviceId }) => contains(name) || (deviceId === null && isOfPerson(userId)),
    ),
    deviceIds: idsOf(
      devices,
      ({ name, endUserLabel, userId }) => contains(name) || contains(endUserLabel) || isOfPerson(userId),
    ),
  };
}

/** Returns a person's keys and devices, and the user id, under which playground requests are recorded. */
async function readSentBy(
  { storage }: SearchDeps,
  organizationId: string,
  userId: string,
): Promise<Pick<EventSearch, 'keyIds' | 'deviceIds'>> {
  const [devices, keys] = await Promise.all([
    storage.devices.list(organizationId),
    storage.keys.list(organizationId),
  ]);
  const isTheirs = (one: { readonly userId: string | null }) => one.userId === userId;
  const keyIds = keys.filter((key) => key.deviceId === null && isTheirs(key)).map(({ id }) => id);
  return {
    keyIds: [userId, ...keyIds].slice(0, MAX_IDS),
    deviceIds: devices
      .filter(isTheirs)
      .slice(0, MAX_IDS)
      .map(({ id }) => id),
  };
}

function columnFilter(query: EventQuery): EventFilter {
  return {
    ...(query.decision === undefined ? {} : { decision: query.decision }),
    ...(query.threat_type === undefined ? {} : { threatType: query.threat_type }),
    ...(query.direction === undefined ? {} : { direction: query.direction }),
    ...(query.project_id === undefined ? {} : { projectId: query.project_id }),
    ...(query.key_id === undefined ? {} : { keyId: query.key_id }),
    ...(query.device_id === undefined ? {} : { deviceId: query.device_id }),
    ...(query.model === undefined ? {} : { model: query.model }),
    ...(query.policy_id === undefined ? {} : { policyId: query.policy_id }),
    ...(query.rule === undefined ? {} : { rule: query.rule }),
    ...(query.session === undefined ? {} : { session: query.session }),
    ...(query.tag === undefined ? {} : { tag: query.tag }),
    ...(query.from === undefined ? {} : { fromMs: Date.parse(query.from) }),
    ...(query.to === undefined ? {} : { toMs: Date.parse(query.to) }),
  };
}
