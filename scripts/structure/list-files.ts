import { globSync } from 'node:fs';

const NOT_OURS = ['node_modules', 'dist', '.data'];

/** Lists files of the given folders with these suffixes, as sorted paths from the root with forward slashes. */
export function listFiles(root: string, folders: readonly string[], endings: readonly string[]): string[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*`),
    { cwd: root, exclude: (name) => NOT_OURS.includes(name.split(/[\\/]/).at(-1) ?? '') },
  )
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => endings.some((ending) => file.endsWith(ending)))
    .sort();
}
