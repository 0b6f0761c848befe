import { namesForeignTexts } from '@csg/shared/flow-control';

/**
 * Returns whether a tool declares that it returns the organization's own records; pages, emails and documents are never
 * treated as such.
 */
export function isClosedWorld(tool: Readonly<Record<string, unknown>>): boolean {
  const { name, annotations } = tool as {
    readonly name: string;
    readonly annotations?: { readonly openWorldHint?: unknown } | null;
  };
  return annotations?.openWorldHint === false && !namesForeignTexts(name);
}
