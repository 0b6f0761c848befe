const RECORDABLE = /^[\w.:[\]-]{1,255}$/;

/** Returns a text for records and reasons if it is a name, a host or an id; else null: callers can write anything. */
export function recordableText(text: string | null): string | null {
  return text !== null && RECORDABLE.test(text) ? text : null;
}
