import { CodedError, MAX_GROUP_MEMBERS, type ScimPatchRequest } from '@csg/shared/contract';
import type { GroupChange, MemberStep } from '../../flows/accounts/directory-groups.ts';
import { readQuoted } from './read-filter.ts';

type Operation = ScimPatchRequest['Operations'][number];
type Kind = 'add' | 'replace' | 'remove';

interface Reading {
  displayName?: string;
  externalId?: string | null;
  readonly members: MemberStep[];
}

const ONE_MEMBER = /^members\[\s*value\s+eq\s+("(?:[^"\\]|\\.)*")\s*\]$/i;
const GROUP_URN = /^urn:ietf:params:scim:schemas:core:2\.0:group:/i;

/**
 * Returns the changes of a group's PATCH, in order (RFC 7644, section 3.5.2), in the forms of Entra ID (`Add` and
 * `Remove` with a list of members) and of Okta (a filter in the path, an object without a path). Ignores attributes that
 * are not stored here.
 */
export function readGroupPatch({ Operations }: ScimPatchRequest): GroupChange {
  const reading: Reading = { members: [] };
  for (const operation of Operations) readOperation(reading, operation);
  if (reading.members.reduce((sum, { userIds }) => sum + (userIds?.length ?? 0), 0) > MAX_GROUP_MEMBERS) {
    throw invalid(`A request can name at most ${MAX_GROUP_MEMBERS} members.`, 'tooMany');
  }
  return reading;
}

function readOperation(reading: Reading, { op, path, value }: Operation): void {
  const kind = op.toLowerCase();
  if (!isKind(kind)) throw invalid('"op" must be add, replace or remove.', 'invalidSyntax');
  if (path !== undefined) {
    note(reading, kind, path, value);
    return;
  }
  if (kind === 'remove') throw invalid('A remove operation requires a "path".', 'noTarget');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('Without a "path", "value" must be an object.', 'invalidValue');
  }
  for (const [name, member] of Object.entries(value)) note(reading, kind, name, member);
}

const isKind = (kind: string): kind is Kind => ['add', 'replace', 'remove'].includes(kind);

function note(reading: Reading, kind: Kind, path: string, value: unknown): void {
  const name = path.replace(GROUP_URN, '');
  const [, quoted] = ONE_MEMBER.exec(name) ?? [];
  if (quoted !== undefined) {
    if (kind !== 'remove') throw invalid('A member can be removed by a filter, not changed.', 'invalidPath');
    reading.members.push({ kind, userIds: [memberId(readQuoted(quoted))] });
    return;
  }
  switch (name.toLowerCase()) {
    case 'members':
      reading.members.push(membersStep(kind, value));
      return;
    case 'displayname':
      if (kind === 'remove') throw invalid('A group needs a displayName.', 'mutability');
      reading.displayName = readText(value, 1, 256);
      return;
    case 'externalid':
      reading.externalId = kind === 'remove' ? null : readText(value, 0, 200);
      return;
  }
  if (/^members\b/i.test(name)) {
    throw invalid(
      'Supported paths of members: members, and members[value eq "…"] to remove one.',
      'invalidPath',
    );
  }
}

/** A removal without a value removes all; with an empty list, none. */
function membersStep(kind: Kind, value: unknown): MemberStep {
  if (kind === 'remove' && value === undefined) return { kind, userIds: null };
  const list = Array.isArray(value) ? value : [value];
  return { kind, userIds: list.map(memberId) };
}

function memberId(member: unknown): string {
  const id = typeof member === 'object' && member !== null ? (member as { value?: unknown }).value : member;
  if (typeof id === 'string' && id !== '' && id.length <= 200) return id;
  throw invalid('Each of "members" must be an object whose "value" is the id of a user.', 'invalidValue');
}

function readText(value: unknown, least: number, most: number): string {
  if (typeof value === 'string' && value.length >= least && value.length <= most) return value;
  throw invalid(`displayName and externalId are strings of ${least} to ${most} characters.`, 'invalidValue');
}

function invalid(message: string, scimType: string): CodedError {
  return new CodedError('invalid_request', { message, fields: { scimType } });
}
