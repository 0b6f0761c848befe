import path from 'node:path';

/** What a file reaches by its imports, and by naming a file that a process or a thread starts with. */
export type Reach = (file: string) => ReadonlySet<string>;

const TYPES = /(?:import|export)\s+type\s[^;]*?from\s+(['"]).*?\1/g;
const NAMES = /(['"`])((?:[\w@./-]|\$\{\w+\})+)\1/g;
const PACKAGE = /^@csg\/(\w+)\/(\w+)$/;

/**
 * Too much rather than too little: any text that ends like the name of a source counts, wherever it stands, and leads
 * to every source of that name if it is none relative to its file.
 */
export function openReach(files: readonly string[], read: (file: string) => string): Reach {
  const known = new Set(files);
  const byName = Map.groupBy(files, (file) => path.posix.basename(file));
  const edges = new Map<string, readonly string[]>();
  const edgesOf = (file: string): readonly string[] => {
    const have = edges.get(file);
    if (have !== undefined) return have;
    const text = read(file).replace(TYPES, '');
    const found = [...text.matchAll(NAMES)].flatMap(([, , name = '']) => namedBy(file, name));
    edges.set(file, found);
    return found;
  };
  const namedBy = (file: string, name: string): readonly string[] => {
    const [, room, door] = PACKAGE.exec(name) ?? [];
    if (door !== undefined) return [`${room}/${door}/index.ts`].filter((index) => known.has(index));
    if (!/\.[mc]?[jt]sx?$/.test(name)) return [];
    const relative = path.posix.join(path.posix.dirname(file), name);
    if (known.has(relative)) return [relative];
    return byName.get(path.posix.basename(name)) ?? [];
  };
  const reached = new Map<string, ReadonlySet<string>>();
  return (file) => {
    const have = reached.get(file);
    if (have !== undefined) return have;
    const all = new Set([file]);
    for (const one of all) for (const next of edgesOf(one)) all.add(next);
    reached.set(file, all);
    return all;
  };
}
