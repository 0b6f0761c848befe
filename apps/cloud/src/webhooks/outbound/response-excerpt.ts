import type { Dispatcher } from 'undici';

const MAX_CHARACTERS = 1_024;
/** Read beyond what is kept, so that a secret at its end is seen whole. */
const MARGIN = 512;
/** A receiver that has answered does not keep its slot by talking on. */
const WAIT_MS = 500;
const SHORTEST_SECRET = 8;

/** What the receiver says beside its status, bounded in time and size; null: nothing, or no text. Never rejects. */
export async function readExcerpt(
  { body, headers }: Pick<Dispatcher.ResponseData, 'body' | 'headers'>,
  hidden: readonly string[],
): Promise<string | null> {
  body.on('error', () => {});
  if (!isText(headers)) {
    body.destroy();
    return null;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => body.destroy(), WAIT_MS);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_CHARACTERS + MARGIN) break;
    }
  } catch {
    // What came before it broke off is worth showing.
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  const read = Buffer.concat(chunks)
    .subarray(0, MAX_CHARACTERS + MARGIN)
    .toString('utf8');
  const shown = hide(read, hidden).slice(0, MAX_CHARACTERS).trim();
  return shown === '' ? null : shown;
}

/** Error pages repeat the path they were asked for, and members may not see more of an address than its host. */
export function hiddenParts(url: URL, secrets: readonly string[]): readonly string[] {
  const parts = [...url.pathname.split('/'), ...url.searchParams.values(), url.username, url.password];
  const spelled = parts.flatMap((part) => [part, decoded(part), encodeURIComponent(decoded(part))]);
  return [...secrets, ...spelled.filter((part) => part.length >= SHORTEST_SECRET)];
}

function hide(text: string, hidden: readonly string[]): string {
  // The longest first: one may be part of another.
  const parts = [...new Set(hidden)].filter((part) => part !== '').sort((a, b) => b.length - a.length);
  return parts.reduce((shown, part) => shown.replaceAll(part, '[hidden]'), text);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function isText(headers: Dispatcher.ResponseData['headers']): boolean {
  const type = String(headers['content-type'] ?? 'text/plain');
  const isPlain = headers['content-encoding'] === undefined || headers['content-encoding'] === 'identity';
  return isPlain && /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml))/i.test(type.trim());
}
