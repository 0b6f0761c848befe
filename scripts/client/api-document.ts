import { createHash } from 'node:crypto';

interface Document {
  readonly paths: Readonly<Record<string, unknown>>;
}

/** The developers' part of the OpenAPI file: what a client with a key can call. */
export function apiDocument(openApi: string): string {
  const document = JSON.parse(openApi) as Document;
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => path.startsWith('/api/v1/')),
  );
  return JSON.stringify({ ...document, paths });
}

/** First line of the generated file: tells which document it was made from. */
export function headOf(document: string): string {
  const digest = createHash('sha256').update(document).digest('hex');
  return `// Made by "npm run client" from the OpenAPI file (sha256 ${digest}). Not edited by hand.`;
}
