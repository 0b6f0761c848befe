/** The tables of docs/modules.md: which module may import which, and which packages only some modules may import. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const SOURCE_FOLDERS = {
  shared: 'shared',
  cloud: 'apps/cloud/src',
  dashboard: 'apps/cloud/dashboard/src',
  desktop: 'apps/desktop/src',
} as const;

export interface Module {
  readonly package: keyof typeof SOURCE_FOLDERS;
  readonly level: number;
  readonly name: string;
  /** Files or folders, relative to the package's source folder. */
  readonly paths: readonly string[];
  /** Whether all of it is pure, and else which files are. */
  readonly isPure: boolean;
  readonly pureFiles: readonly string[];
  /** Modules of which only types may be imported; their values are injected. */
  readonly typesOnly: readonly string[];
  /** Its purpose, as a clause that can follow "because". */
  readonly about: string;
}

/** Packages that only some modules may import, including types. */
export interface Confined {
  readonly packages: readonly string[];
  readonly modules: readonly string[];
  readonly because: string;
}

const PAGE = path.resolve(import.meta.dirname, '../../docs/modules.md');
const [FIRST = '', SECOND = ''] = readFileSync(PAGE, 'utf8').split('## Packages');

/** Returns the cells of each row of a Markdown table. */
function rowsOf(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => row.split('|').slice(1, -1));
}

const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

export const MODULES: readonly Module[] = rowsOf(FIRST).map((cells) => {
  const [package_ = '', level = '', name = '', paths, pure = '', typesOnly, about = ''] = cells.map((cell) =>
    cell.trim(),
  );
  const ownName = namesIn(name)[0];
  if (!(package_ in SOURCE_FOLDERS) || !/^\d+$/.test(level) || ownName === undefined || about === '')
    throw new Error(`docs/modules.md has an incomplete row: ${cells.join('|')}`);
  const given = namesIn(paths);
  const isPure = pure.startsWith('yes');
  return {
    package: package_ as Module['package'],
    ...{ level: Number(level), name: ownName, paths: given.length > 0 ? given : [ownName] },
    ...{ isPure, pureFiles: isPure ? [] : namesIn(pure), typesOnly: namesIn(typesOnly), about },
  };
});

export const CONFINED: readonly Confined[] = rowsOf(SECOND).map(([packages, modules, because = '']) => ({
  ...{ packages: namesIn(packages), modules: namesIn(modules), because: because.trim() },
}));

/** Returns the import specifier of a `shared` module. The client is a separate package, for external programs too. */
export function entryPointOf({ name }: Module): string {
  return name === 'client' ? '@csg/client' : `@csg/shared/${name}`;
}

/** Returns the module of a file, by its path from the project's root; undefined outside the packages' sources. */
export function moduleOf(file: string): Module | undefined {
  return MODULES.find((module) =>
    module.paths.some((part) => {
      const place = `${SOURCE_FOLDERS[module.package]}/${part}`;
      return file === place || file.startsWith(`${place}/`);
    }),
  );
}
