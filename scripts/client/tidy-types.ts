/**
 * What openapi-typescript writes, shorter and with the same meaning: methods that a path does not have go, as do names of
 * responses and parameters that nobody would import; an object type with one member is one line.
 */
export function tidyTypes(source: string): string {
  const [start, end] = [source.indexOf('export interface paths {'), source.indexOf('export type webhooks')];
  const paths = source
    .slice(start, end)
    .replace(/^ +\w+\?: never;\n/gm, '')
    .replace(/^ +parameters: \{\n +\};\n/gm, '');
  return inOneLine(source.slice(0, start) + paths + source.slice(end))
    .replace(/^export type \w+ = components\['(?:responses|parameters)'\].*\n/gm, '')
    .replace(/^ +\/\*\* @enum \{\w+\} \*\/\n/gm, '');
}

const MAX_LINE = 110;
const ONE_MEMBER = /^( *)(.*)\{\n +([^\n{}*]+;)\n +\}(.*)$/gm;
const NO_PARAMETERS = /\{\s+query\?: never;\s+header\?: never;\s+path\?: never;\s+cookie\?: never;\s+\}/g;

function inOneLine(source: string): string {
  return source
    .replace(NO_PARAMETERS, '{ query?: never; header?: never; path?: never; cookie?: never }')
    .replace(ONE_MEMBER, (whole, indent: string, before: string, member: string, after: string) => {
      const line = `${indent}${before}{ ${member.slice(0, -1)} }${after}`;
      return line.length > MAX_LINE ? whole : line;
    });
}
