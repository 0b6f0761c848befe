/** Reads the service's OpenAPI document with every reference resolved. */
export async function readOpenApi<T>(address: string): Promise<T> {
  const response = await fetch(`${address}/openapi.json`);
  return withoutReferences(await response.json()) as T;
}

/**
 * A member next to a reference, such as a description, overrides the referenced one. No schema of ours is recursive.
 */
export function withoutReferences(document: unknown): unknown {
  const known = new Map<string, unknown>();
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref: pointer, ...own } = value as Record<string, unknown>;
    const members = Object.fromEntries(Object.entries(own).map(([name, member]) => [name, follow(member)]));
    if (typeof pointer !== 'string') return members;
    if (!known.has(pointer)) known.set(pointer, follow(lookUp(document, pointer)));
    const target = known.get(pointer);
    return Object.keys(own).length === 0 ? target : { ...(target as object), ...members };
  };
  return follow(document);
}

export function lookUp(document: unknown, pointer: string): unknown {
  const steps = pointer.slice(2).split('/');
  const found = steps.reduce<unknown>(
    (at, step) => (at as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/')],
    document,
  );
  if (found === undefined) throw new Error(`${pointer} leads nowhere`);
  return found;
}
