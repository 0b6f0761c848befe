import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { installPackages } from '../install-packages.ts';
import { apiDocument, headOf } from './api-document.ts';
import { tidyTypes } from './tidy-types.ts';

const run = promisify(execFile);
const GENERATOR = { 'openapi-typescript': '7.13.0', typescript: '5.9.3' };
/** Types without a namespace; a member with a default is optional in a request. */
const OPTIONS = ['--root-types', '--root-types-no-schema-prefix', '--default-non-nullable=false'];

export const CLIENT_FILE = 'shared/client/schema.ts';

/** True if the types of the client were made from the OpenAPI file as it is. */
export function isClientCurrent(root: string): boolean {
  const [head] = readFileSync(path.join(root, CLIENT_FILE), 'utf8').split('\n', 1);
  return head === headOf(readDocument(root));
}

function readDocument(root: string): string {
  return apiDocument(readFileSync(path.join(root, 'test/golden/openapi.json'), 'utf8'));
}

/**
 * Writes the types of the client with openapi-typescript, which npm downloads on the first run, because it needs an
 * older TypeScript than the project's.
 */
export async function writeClientTypes(root: string): Promise<void> {
  const folder = path.join(root, 'node_modules/.cache/client-generator');
  await installPackages(folder, GENERATOR);
  const document = readDocument(root);
  mkdirSync(folder, { recursive: true });
  const [from, to] = [path.join(folder, 'openapi.json'), path.join(folder, 'schema.ts')];
  writeFileSync(from, document);
  const cli = path.join(folder, 'node_modules/openapi-typescript/bin/cli.js');
  await run(process.execPath, [cli, from, '--output', to, ...OPTIONS]);
  const types = tidyTypes(readFileSync(to, 'utf8'));
  writeFileSync(path.join(root, CLIENT_FILE), `${headOf(document)}\n${types}`);
}
