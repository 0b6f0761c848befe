import { CodedError, type ScimPatchRequest } from '@csg/shared/contract';
import type { DirectoryChange } from '../../flows/accounts/directory-users.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Returns the changes of the operations, in order (RFC 7644, section 3.5.2). Directories differ: some name a path,
 * some send an object without one, some write `False` as a string. Ignores attributes that are not stored here.
 */
export function readPatch(request: ScimPatchRequest): DirectoryChange {
  const change: Mutable<DirectoryChange> = {};
  for (const operation of request.Operations) noteOperation(change, operation);
  return change;
}

function noteOperation(
  change: Mutable<DirectoryChange>,
  { op, path, value }: ScimPatchRequest['Operations'][number],
): void {
  const kind = op.toLowerCase();
  if (kind !== 'add' && kind !== 'replace' && kind !== 'remove') {
    throw invalid('"op" must be add, replace or remove.', 'invalidSyntax');
  }
  if (path !== undefined) {
    note(change, path, kind === 'remove' ? null : value);
    return;
  }
  if (kind === 'remove') throw invalid('A remove operation requires a "path".', 'noTarget');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('Without a "path", "value" must be an object.', 'invalidValue');
  }
  for (const [name, member] of Object.entries(value)) noteMember(change, name, member);
}

function noteMember(change: Mutable<DirectoryChange>, name: string, value: unknown): void {
  if (name.toLowerCase() === 'name' && typeof value === 'object' && value !== null) {
    for (const [part, text] of Object.entries(value)) note(change, `name.${part}`, text);
  } else note(change, name, value);
}

function note(change: Mutable<DirectoryChange>, path: string, value: unknown): void {
  switch (path.toLowerCase().replace(/^urn:ietf:params:scim:schemas:core:2\.0:user:/, '')) {
    case 'active':
      change.isActive = readFlag(value);
      return;
    case 'username':
      change.email = readText(path, value) ?? '';
      return;
    case 'externalid':
      change.externalId = readText(path, value);
      return;
    case 'name.givenname':
      change.givenName = readText(path, value);
      return;
    case 'name.familyname':
      change.familyName = readText(path, value);
      return;
    case 'name':
      noteMember(change, 'name', value ?? { givenName: null, familyName: null });
  }
}

/** Directories send booleans, `True` and `False`. */
export function readFlag(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalid('"active" must be true or false.', 'invalidValue');
}

function readText(path: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' && value.length <= 254) return value;
  throw invalid(`"${path.slice(0, 40)}" must be a string of at most 254 characters.`, 'invalidValue');
}

function invalid(message: string, scimType: string): CodedError {
  return new CodedError('invalid_request', { message, fields: { scimType } });
}
