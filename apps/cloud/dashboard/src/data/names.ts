import type { DeviceRecord, KeyRecord, MemberRecord, ProjectOnDesk } from '@csg/shared/contract';
import { useRead } from './hooks.ts';

const STALE_IS_FINE = { everyMs: 120_000 };

/** What people call the ids of a record; the id itself where nothing of it is there any more. */
export function useNames(): (id: string) => string {
  const members = useRead<MemberRecord[]>('/members', STALE_IS_FINE);
  const keys = useRead<KeyRecord[]>('/keys', STALE_IS_FINE);
  const devices = useRead<DeviceRecord[]>('/devices', STALE_IS_FINE);
  const projects = useRead<ProjectOnDesk[]>('/projects', STALE_IS_FINE);
  const names = new Map<string, string>([
    ['operator', 'Operator at the command line'],
    ['system', 'The service'],
  ]);
  for (const { user_id, name, email } of members.data ?? []) names.set(user_id, name ?? email);
  for (const { id, name } of keys.data ?? []) names.set(id, `key ${name}`);
  for (const { id, name } of devices.data ?? []) names.set(id, `device ${name}`);
  for (const { id, name } of projects.data ?? []) names.set(id, `project ${name}`);
  return (id) => names.get(id) ?? id;
}
