import { CodedError } from '@csg/shared/contract';

/** One comparison, and what follows it. Every pattern inside is linear. */
const TERM =
  /^\s*([A-Za-z][\w.:$-]*(?:\[type eq "work"\])?(?:\.value)?)\s+eq\s+("(?:[^"\\]|\\.)*")\s*(and\s|$)/i;
const MAX_TERMS = 4;

/** What can be compared, in lower case, and its name in the result. */
type Attributes<Name extends string> = Readonly<Record<string, Name>>;

export const USER_ATTRIBUTES = {
  username: 'email',
  emails: 'email',
  'emails.value': 'email',
  'emails[type eq "work"].value': 'email',
  externalid: 'externalId',
} as const satisfies Attributes<string>;

export const GROUP_ATTRIBUTES = {
  id: 'id',
  displayname: 'displayName',
  externalid: 'externalId',
  members: 'userId',
  'members.value': 'userId',
} as const satisfies Attributes<string>;

/**
 * Reads the filters that directories send: comparisons by `eq`, joined by `and` (RFC 7644, section 3.4.2.2). A name may
 * begin with the URN of its schema.
 */
export function readFilter<Name extends string>(
  filter: string | undefined,
  attributes: Attributes<Name>,
): { [N in Name]?: string } {
  const found: { [N in Name]?: string } = {};
  if (filter === undefined) return found;
  for (let at = 0, terms = 0; at < filter.length || terms === 0; terms++) {
    const term = TERM.exec(filter.slice(at));
    const [whole = '', attribute = '', quoted = '', more] = term ?? [];
    const key = attribute
      .toLowerCase()
      .replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, '');
    const name = Object.hasOwn(attributes, key) ? attributes[key] : undefined;
    const value = readQuoted(quoted);
    if (name === undefined || value === null || found[name] !== undefined || terms === MAX_TERMS) {
      throw unreadable(attributes);
    }
    found[name] = value;
    at += whole.length;
    if (more !== '' && at >= filter.length) throw unreadable(attributes);
  }
  return found;
}

/** null: no JSON string. */
export function readQuoted(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}

function unreadable(attributes: Attributes<string>): CodedError {
  return new CodedError('invalid_request', {
    message: `Supported filters compare by eq, joined by and, such as externalId eq "…". Attributes: ${Object.keys(attributes).join(', ')}.`,
    fields: { scimType: 'invalidFilter' },
  });
}
