import type { TextSlot } from './text-slot.ts';

/**
 * Converts a slot's path to the notation of developers: `messages[0].content[1].file.file_data`. Texts nested deeper
 * than a JSON value (`~data`, `~pdf/…`) get the path of that value. Null for paths outside of a body, such as those of
 * a stream.
 */
export function paramOf(path: string): string | null {
  const [pointer = ''] = path.split(/~(?=[a-z])/);
  if (!pointer.startsWith('/')) return null;
  const written = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name) => {
      if (/^\d+$/.test(name)) return `[${name}]`;
      return /^[A-Za-z_][\w-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
    })
    .join('');
  return written.replace(/^\./, '');
}

/** Returns the path of the message that contains a slot, such as `/messages/3` for `/messages/3/content/0/text`. */
export function messagePathOf({ path }: Pick<TextSlot, 'path'>): string {
  const start = path.indexOf('/');
  const index = path.indexOf('/', start + 1);
  const end = index < 0 ? -1 : path.indexOf('/', index + 1);
  return path.slice(Math.max(0, start), end < 0 ? path.length : end);
}
