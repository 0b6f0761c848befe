import type { Role } from '../storage/storage.ts';
import { hasRole } from './require-role.ts';

/** Redacts an endpoint address, whose path often contains a secret, to its host for callers who may not change it. */
export function redactUrl(address: string | null, role: Role): string | null {
  if (address === null || hasRole(role, 'admin')) return address;
  const url = URL.parse(address);
  if (url === null) return null;
  return url.pathname === '/' && url.search === '' ? url.origin : `${url.origin}/…`;
}
