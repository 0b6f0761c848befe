/**
 * Returns files that import each other, in any number of steps and including types: none of them can be read, moved or
 * tested without the others. Each group once, sorted.
 */
export function importCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const cycles: string[][] = [];

  // Tarjan's strongly connected components: all files that are reachable from a file and lead back to it.
  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    path.push(file);
    const known = (imports.get(file) ?? []).filter((next) => imports.has(next));
    for (const next of known) {
      if (!order.has(next)) visit(next);
      if (path.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = path.splice(path.indexOf(file));
    if (group.length > 1) cycles.push(group.sort());
  }

  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return cycles.sort((one, other) => one[0]!.localeCompare(other[0]!));
}
