const MAX_NAME_CHARACTERS = 128;
const MAX_PATH_CHARACTERS = 1_024;

/**
 * Returns the path of a member. Names with `~` or `/` are rare, so it tests before it replaces. Long names would be
 * repeated in the path of everything below, so they are truncated and distinguished by a digest; a collision would at
 * worst redact two members alike.
 */
export function childPointer(path: string, name: string): string {
  const base = path.length > MAX_PATH_CHARACTERS ? `/…${digest(path)}` : path;
  const label = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, 32)}…${digest(name)}` : name;
  if (label.includes('~') || label.includes('/')) {
    return `${base}/${label.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return `${base}/${label}`;
}

/** Two FNV-1a hashes with the length: a label, not a security measure. */
function digest(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
  }
  return `${text.length}.${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
}
