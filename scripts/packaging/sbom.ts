/** `npm run package -- sbom`: the components of the product, as CycloneDX, from the lock file alone. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { readOptions } from '../options.ts';

const run = promisify(execFile);
const MAX_BYTES = 64 * 1024 * 1024;

export interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

export interface Sbom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** Excludes development packages. Rejects if npm fails (before version 10 it has no `sbom`). */
export async function makeSbom(root: string): Promise<Sbom> {
  // Not `--omit=dev`: it also omits packages used by both the product and a development package.
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const { stdout } = await run('npm', args, {
    cwd: root,
    maxBuffer: MAX_BYTES,
    shell: process.platform === 'win32',
  });
  const sbom = JSON.parse(stdout) as Sbom;
  const components = sbom.components.filter((one) => !isForDevelopment(one)).map(withItsName);
  const included = new Set([sbom.metadata.component, ...components].map((one) => one['bom-ref']));
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: withItsName(sbom.metadata.component) },
    components,
    dependencies: sbom.dependencies
      .filter(({ ref }) => included.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => included.has(one)) })),
  };
}

/** The laboratory's workspace, whose packages are for development, counts as one of the product for npm. */
const LABORATORY = '@csg/lab@';

function isForDevelopment({ 'bom-ref': reference, properties = [] }: Component): boolean {
  if (reference.startsWith(LABORATORY)) return true;
  return properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
}

/** npm names a component in a folder after the folder. */
function withItsName(component: Component): Component {
  const reference = component['bom-ref'];
  return { ...component, name: reference.slice(0, reference.lastIndexOf('@')) };
}

export async function writeSbom(args: readonly string[]): Promise<void> {
  const root = path.resolve(import.meta.dirname, '../..');
  const values = readOptions(
    {
      command: 'npm run package -- sbom',
      about: 'Writes the software bill of materials (CycloneDX).',
      options: { out: { type: 'string', value: 'FILE', default: 'sbom.cdx.json', help: 'Output file' } },
    },
    args,
  );
  try {
    const sbom = await makeSbom(root);
    writeFileSync(values.out, `${JSON.stringify(sbom, null, 2)}\n`);
    console.log(`${values.out}: CycloneDX ${sbom.specVersion}, ${sbom.components.length} components.`);
  } catch (error) {
    console.error(`The bill of materials could not be generated: ${(error as Error).message.trim()}`);
    process.exitCode = 1;
  }
}
