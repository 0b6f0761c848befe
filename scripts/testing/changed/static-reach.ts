import path from 'node:path';

const TYPES = /(?:import|export)\s+type\s[^;]*?from\s+(['"]).*?\1/g;
const NAMES = /(['"`])((?:[\w@./-]|\$\{\w+\})+)\1/g;
const PACKAGE = /^@csg\/(\w+)\/(\w+)$/;

/** The file behind the name of a module of another workspace. */
export function namedPackage(name: string): string | undefined {
  const [, folder, module] = PACKAGE.exec(name) ?? [];
  return module === undefined ? undefined : `${folder}/${module}/index.ts`;
}

/** Returns the files that a file imports, or names as the file of a process or a thread. */
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
    const index = namedPackage(name);
    if (index !== undefined) return known.has(index) ? [index] : [];
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
