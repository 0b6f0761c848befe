import { CodedError } from '@csg/shared/contract';

const FILTER = /^\s*(userName|externalId|emails\.value)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i;

/** Parses the only filter that directories use: `userName eq "ada@example.com"` (RFC 7644, section 3.4.2.2). */
export function readFilter(filter: string | undefined): { email?: string; externalId?: string } {
  if (filter === undefined) return {};
  const [, attribute = '', quoted = ''] = FILTER.exec(filter) ?? [];
  if (attribute === '') throw unreadable();
  try {
    const value = JSON.parse(quoted) as string;
    return attribute.toLowerCase() === 'externalid' ? { externalId: value } : { email: value };
  } catch {
    throw unreadable();
  }
}

function unreadable(): CodedError {
  return new CodedError('invalid_request', {
    message: 'Supported filters: userName eq "…", emails.value eq "…" and externalId eq "…".',
    fields: { scimType: 'invalidFilter' },
  });
}
