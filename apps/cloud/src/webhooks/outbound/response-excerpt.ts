import type { Dispatcher } from 'undici';

const MAX_CHARACTERS = 1_024;
/** Read beyond the stored part, so that a secret at its end is matched completely. */
const MARGIN = 512;
/** An endpoint that has responded must not keep its slot by sending more. */
const WAIT_MS = 500;
const SHORTEST_SECRET = 8;

/** Returns the start of the endpoint's body, bounded in time and size; null: empty, or not text. Never rejects. */
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
    // The part that arrived before the failure is worth showing.
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

/** Error pages repeat the requested path, and members may see only the host of a URL. */
export function hiddenParts(url: URL, secrets: readonly string[]): readonly string[] {
  const parts = [...url.pathname.split('/'), ...url.searchParams.values(), url.username, url.password];
  const spelled = parts.flatMap((part) => [part, decoded(part), encodeURIComponent(decoded(part))]);
  return [...secrets, ...spelled.filter((part) => part.length >= SHORTEST_SECRET)];
}

function hide(text: string, hidden: readonly string[]): string {
  // The longest first, because one may be part of another.
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
