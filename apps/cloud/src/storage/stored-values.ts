/** Returns text that both engines can store: PostgreSQL rejects U+0000, and neither preserves a lone surrogate. */
export function toStorableText(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed();
}

export function toStorableTextOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : toStorableText(text);
}

export function toFlag(value: boolean): number {
  return value ? 1 : 0;
}

/** Returns the UTC day of a time, as YYYY-MM-DD. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
