import { namesForeignTexts } from '@csg/shared/flow-control';

/** Returns whether a tool declares to return the organization's own records; never for pages, emails or documents. */
export function isClosedWorld(tool: Readonly<Record<string, unknown>>): boolean {
  const { name, annotations } = tool as {
    readonly name: string;
    readonly annotations?: { readonly openWorldHint?: unknown } | null;
  };
  return annotations?.openWorldHint === false && !namesForeignTexts(name);
}
