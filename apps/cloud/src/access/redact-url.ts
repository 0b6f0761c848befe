import type { Role } from '../storage/storage.ts';
import { hasRole } from './require-role.ts';

/** Addresses of endpoints often contain a secret in their path: a caller who may not change them sees the host alone. */
export function redactUrl(address: string | null, role: Role): string | null {
  if (address === null || hasRole(role, 'admin')) return address;
  const url = URL.parse(address);
  if (url === null) return null;
  return url.pathname === '/' && url.search === '' ? url.origin : `${url.origin}/…`;
}
