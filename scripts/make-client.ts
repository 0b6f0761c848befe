/**
 * `npm run client`: writes shared/client/schema.ts from test/golden/openapi.json with openapi-typescript, which npm
 * downloads on the first run, because it needs an older TypeScript than the project's.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { apiDocument, headOf } from './client/api-document.ts';
import { tidyTypes } from './client/tidy-types.ts';
import { installPackages } from './install-packages.ts';
import { readOptions } from './options.ts';

const run = promisify(execFile);
const GENERATOR = { 'openapi-typescript': '7.13.0', typescript: '5.9.3' };
/** Types without a namespace; a member with a default is optional in a request. */
const OPTIONS = ['--root-types', '--root-types-no-schema-prefix', '--default-non-nullable=false'];

export async function makeClient(root: string): Promise<string> {
  const folder = path.join(root, 'node_modules/.cache/client-generator');
  await installPackages(folder, GENERATOR);
  const document = apiDocument(readFileSync(path.join(root, 'test/golden/openapi.json'), 'utf8'));
  mkdirSync(folder, { recursive: true });
  const [from, to] = [path.join(folder, 'openapi.json'), path.join(folder, 'schema.ts')];
  writeFileSync(from, document);
  const cli = path.join(folder, 'node_modules/openapi-typescript/bin/cli.js');
  await run(process.execPath, [cli, from, '--output', to, ...OPTIONS]);
  return `${headOf(document)}\n${tidyTypes(readFileSync(to, 'utf8'))}`;
}

if (import.meta.main) {
  readOptions({
    command: 'npm run client --',
    about: 'Generates the schema of the typed client from the OpenAPI document.',
    options: {},
  });
  const root = path.resolve(import.meta.dirname, '..');
  writeFileSync(path.join(root, 'shared/client/schema.ts'), await makeClient(root));
  console.log('Wrote shared/client/schema.ts');
}
