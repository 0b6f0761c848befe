/**
 * Shortens the output of openapi-typescript without changing its meaning: removes unused methods of paths, names of
 * responses and parameters that no program imports, and "Success" descriptions; puts an object type on one line if it
 * fits.
 */
export function tidyTypes(source: string): string {
  const [start, end] = [source.indexOf('export interface paths {'), source.indexOf('export type webhooks')];
  const paths = source
    .slice(start, end)
    .replace(/^ +\w+\?: never;\n/gm, '')
    .replace(/^ +parameters: \{\n +\};\n/gm, '');
  return inOneLine(source.slice(0, start) + paths + source.slice(end))
    .replace(/^export type \w+ = components\['(?:responses|parameters|requestBodies)'\].*\n/gm, '')
    .replace(/^ +\/\*\* @description Success \*\/\n/gm, '')
    .replace(/^ +\/\*\* @enum \{\w+\} \*\/\n/gm, '');
}

const MAX_LINE = 110;
/** An object type with one line per member and no comments. */
const SMALL_OBJECT = /^( *)(.*)\{\n((?:\1 {4}[^\n*]*;\n)+)\1\}(.*)$/gm;

function inOneLine(source: string): string {
  const joined = source.replace(
    SMALL_OBJECT,
    (whole, indent: string, before: string, members: string, after: string) => {
      const line = `${indent}${before}{ ${members.trim().replace(/\n */g, ' ').slice(0, -1)} }${after}`;
      return line.length > MAX_LINE ? whole : line;
    },
  );
  return joined === source ? joined : inOneLine(joined);
}
