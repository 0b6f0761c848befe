import type {
  DashboardProject,
  DeviceRecord,
  KeyRecord,
  MemberRecord,
  PolicyDetail,
} from '@csg/shared/contract';
import { useApiQuery } from './hooks.ts';

const SLOW_REFRESH = { refetchMs: 120_000 };

/** Display names of ids; the id itself if the object no longer exists. */
export function useNames(): (id: string) => string {
  const members = useApiQuery<MemberRecord[]>('/members', SLOW_REFRESH);
  const keys = useApiQuery<KeyRecord[]>('/keys', SLOW_REFRESH);
  const devices = useApiQuery<DeviceRecord[]>('/devices', SLOW_REFRESH);
  const projects = useApiQuery<DashboardProject[]>('/projects', SLOW_REFRESH);
  const policies = useApiQuery<{ policies: PolicyDetail[] }>('/policies', SLOW_REFRESH);
  const names = new Map<string, string>([
    ['operator', 'Operator (command line)'],
    ['system', 'Service'],
  ]);
  for (const { user_id, name, email } of members.data ?? []) names.set(user_id, name ?? email);
  for (const { id, name } of keys.data ?? []) names.set(id, `API key ${name}`);
  for (const { id, name } of devices.data ?? []) names.set(id, `device ${name}`);
  for (const { id, name } of projects.data ?? []) names.set(id, `project ${name}`);
  for (const { id, name } of policies.data?.policies ?? []) names.set(id, `policy ${name}`);
  return (id) => names.get(id) ?? id;
}
