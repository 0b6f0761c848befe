import path from 'node:path';

/** Returns the files that a file reaches through imports, or by naming the file of a process or a thread. */
export type Reach = (file: string) => ReadonlySet<string>;

const TYPES = /(?:import|export)\s+type\s[^;]*?from\s+(['"]).*?\1/g;
const NAMES = /(['"`])((?:[\w@./-]|\$\{\w+\})+)\1/g;
const PACKAGE = /^@csg\/(\w+)\/(\w+)$/;

/** Returns the files that a file imports or names. */
export type Names = (file: string) => readonly string[];

/**
 * Overestimates: any text that ends like the name of a source counts in any position, and leads to every source of that
 * name unless it is a path relative to its file.
 */
export function openNames(files: readonly string[], read: (file: string) => string): Names {
  const known = new Set(files);
  const byName = Map.groupBy(files, (file) => path.posix.basename(file));
  const edges = new Map<string, readonly string[]>();
  const namedBy = (file: string, name: string): readonly string[] => {
    const [, folder, module] = PACKAGE.exec(name) ?? [];
    if (module !== undefined) return [`${folder}/${module}/index.ts`].filter((index) => known.has(index));
    const relative = path.posix.join(path.posix.dirname(file), name);
    if (known.has(relative)) return [relative];
    return byName.get(path.posix.basename(name)) ?? [];
  };
  return (file) => {
    const have = edges.get(file);
    if (have !== undefined) return have;
    const text = read(file).replace(TYPES, '');
    const found = [...text.matchAll(NAMES)].flatMap(([, , name = '']) => namedBy(file, name));
    edges.set(file, found);
    return found;
  };
}

/** Follows the names from file to file. */
export function openReach(files: readonly string[], read: (file: string) => string): Reach {
  const namesOf = openNames(files, read);
  const reached = new Map<string, ReadonlySet<string>>();
  return (file) => {
    const have = reached.get(file);
    if (have !== undefined) return have;
    const all = new Set([file]);
    for (const one of all) for (const next of namesOf(one)) all.add(next);
    reached.set(file, all);
    return all;
  };
}
