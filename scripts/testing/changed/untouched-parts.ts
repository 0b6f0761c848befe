import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { partsOf } from './source-parts.ts';
import { namedPackage } from './static-reach.ts';

const IMPORTS = /^import\b[^;]*;/gm;
const TYPE_IMPORT = /^import\s+type\s/;

/**
 * Returns the digests of the parts of a source that mention nothing of what it imports from another file. None, if it may
 * use that file in other ways than by names. `mentions`: how often it names the file.
 */
export function untouchedParts(
  { file, text }: { readonly file: string; readonly text: string },
  other: string,
  mentions: number,
): ReadonlySet<string> {
  const { staticImports } = parseSync(file, text).module;
  const isOther = (name: string): boolean =>
    path.posix.join(path.posix.dirname(file), name) === other || namedPackage(name) === other;
  const imports = staticImports.filter(
    ({ start, moduleRequest }) => isOther(moduleRequest.value) && !TYPE_IMPORT.test(text.slice(start)),
  );
  const entries = imports.flatMap((one) => one.entries).filter(({ isType }) => !isType);
  const isByName = entries.length > 0 && entries.every(({ importName }) => importName.kind === 'Name');
  if (imports.length !== mentions || !isByName) return new Set();
  const names = entries.map(({ localName }) => localName.value.replaceAll('$', '\\$'));
  const touched = new RegExp(`(?<![\\w$])(?:${names.join('|')})(?![\\w$])`);
  const untouched = partsOf(file, text).filter((part) => !touched.test(part.text.replace(IMPORTS, '')));
  return new Set(untouched.map(({ digest }) => digest));
}
