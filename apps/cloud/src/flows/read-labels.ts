import type { IncomingHttpHeaders } from 'node:http';
import { PII_TYPES, SESSION_HEADER, TAGS_HEADER } from '@csg/shared/contract';
import { redactPii } from '@csg/shared/detection';
import { LRUCache } from 'lru-cache';

/** How a client names its requests. No decision reads them. */
export interface Labels {
  /** The run that the request belongs to; null if it has no name. */
  readonly session: string | null;
  /** False: the session was recognized, not named by the client. */
  readonly isNamed: boolean;
  /** `name=value`, sorted, each name once. */
  readonly tags: readonly string[];
}

const MAX_TAGS = 8;
/** Of a tag with its name. */
const MAX_TAG = 64;
const MAX_SESSION = 128;
const MAX_KNOWN = 10_000;
const NAME = /^[\w.:/-]+$/;
const CONTROL = /[\p{Cc}\p{Cf}]/u;

export type ReadLabels = (headers: IncomingHttpHeaders, body: unknown) => Labels | null;

/**
 * Returns a function that reads the labels of a request: `X-Service-Session` and `X-Service-Tags`, without the header the
 * session of the body (guard's `context.session_id`, `session_id` of tool calls and hooks). Malformed labels and those
 * beyond 8 tags are left out; secrets and personal data in them are masked. Null: the request has none.
 */
export function createReadLabels(): ReadLabels {
  const known = new LRUCache<string, string>({ max: MAX_KNOWN });
  const masked = (text: string): string => {
    let result = known.get(text);
    if (result === undefined) {
      result = redactPii(text, PII_TYPES).redacted;
      known.set(text, result);
    }
    return result;
  };
  return (headers, body) => {
    const given = headers[SESSION];
    const session = sessionIn(typeof given === 'string' ? given : idIn(body));
    const tags = headers[TAGS] === undefined ? [] : tagsIn(String(headers[TAGS]));
    if (session === null && tags.length === 0) return null;
    return {
      session: session === null ? null : masked(session),
      isNamed: session !== null,
      tags: tags.map(masked),
    };
  };
}

const SESSION = SESSION_HEADER.toLowerCase();
const TAGS = TAGS_HEADER.toLowerCase();

function sessionIn(text: string | undefined): string | null {
  const id = text?.trim();
  return id === undefined || id === '' || id.length > MAX_SESSION || CONTROL.test(id) ? null : id;
}

function tagsIn(text: string): string[] {
  const byName = new Map<string, string>();
  for (const item of text.split(',')) {
    const equals = item.indexOf('=');
    const name = item.slice(0, Math.max(equals, 0)).trim();
    const value = item.slice(equals + 1).trim();
    const tag = `${name}=${value}`;
    if (!NAME.test(name) || value === '' || tag.length > MAX_TAG || CONTROL.test(value)) continue;
    if (!byName.has(name) && byName.size < MAX_TAGS) byName.set(name, tag);
  }
  return [...byName.values()].sort();
}

function idIn(body: unknown): string | undefined {
  const { session_id: own, context } = (body ?? {}) as { session_id?: unknown; context?: unknown };
  const id = own ?? (context as { session_id?: unknown } | null | undefined)?.session_id;
  return typeof id === 'string' ? id : undefined;
}
