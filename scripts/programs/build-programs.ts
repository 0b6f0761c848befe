/**
 * Builds the programs (service, commands, agent) with all threads and processes that they start: see find-build.mjs.
 * Run by the bootstrap, with the project's Node, where there is no build of the current sources.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { rolldown } from 'rolldown';
import {
  hashOf,
  PROGRAMS_FILE,
  programsFolder,
  removeOldBuilds,
  stampOf,
  writeManifest,
} from '../bootstrap/find-build.mjs';
import { lightHttp } from './light-http.ts';
import { ALIASES, sourceLocations } from './source-locations.ts';

/** What npm scripts start. Other programs and threads are found in the code that starts them. */
const PROGRAMS = [
  'apps/cloud/src/main.ts',
  'apps/cloud/src/cli.ts',
  'apps/desktop/src/agent/cli.ts',
] as const;
/** Native, optional, or with files of their own that they start or read. */
const EXTERNAL = /^(?:better-sqlite3|keytar|electron|onnxruntime-node|playwright|piscina|pg-native)(?:\/|$)/;
/** These decide which file an import is. */
const MANIFESTS = [
  'package-lock.json',
  'package.json',
  'shared/package.json',
  'apps/cloud/package.json',
  'apps/desktop/package.json',
  'scripts/programs/build-programs.ts',
  'scripts/programs/light-http.ts',
  'scripts/programs/source-locations.ts',
];

/** Builds all programs; from then on the new build is the current one. */
export async function buildPrograms(root: string): Promise<void> {
  const begunMs = Date.now();
  const parent = programsFolder(root);
  mkdirSync(parent, { recursive: true });
  const folder = freeFolder(parent);
  process.once('exit', () => removeOldBuilds(parent));
  const { programs, hashes } = await bundle(root, folder);
  const inputs = [...hashes].map(([file, hash]) => ({
    file,
    hash,
    stamp: stampOf(path.join(root, file), begunMs),
  }));
  writeFileSync(path.join(folder, PROGRAMS_FILE), JSON.stringify(programs));
  const outputs = Object.fromEntries(
    readdirSync(folder).map((name) => [name, statSync(path.join(folder, name)).size]),
  );
  writeManifest(parent, { folder: path.basename(folder), inputs, outputs });
}

/** The same few names again and again, for the same reason as those of the files. */
function freeFolder(parent: string): string {
  removeOldBuilds(parent);
  for (let number = 1; ; number++) {
    const folder = path.join(parent, `build-${number}`);
    if (existsSync(folder)) continue;
    mkdirSync(folder);
    return folder;
  }
}

/** Returns the files that were built for each program and thread, and the hash of each file of the project, by paths in it. */
async function bundle(root: string, folder: string) {
  const programs: Record<string, string> = {};
  const hashes = new Map<string, string>();
  const inProject = (file: string) => path.relative(root, file).split(path.sep).join('/');
  const nameOf = (file: string) => `${inProject(file).replace(/\.ts$/, '').replaceAll('/', '.')}.mjs`;
  const addProgram = (file: string) => {
    programs[inProject(file)] = nameOf(file);
  };
  for (const file of MANIFESTS) hashes.set(file, hashOf(readFileSync(path.join(root, file))));
  for (const file of PROGRAMS) addProgram(path.join(root, file));
  const bundles = await rolldown({
    cwd: root,
    platform: 'node',
    // The module of a program is in its file, never behind a facade: `import.meta.main` is true there only.
    preserveEntrySignatures: 'allow-extension',
    input: Object.fromEntries(PROGRAMS.map((file) => [nameOf(path.join(root, file)), file])),
    external: EXTERNAL,
    resolve: { alias: ALIASES },
    plugins: [
      {
        name: 'inputs',
        transform: {
          order: 'pre',
          filter: { id: { exclude: /[\\/]node_modules[\\/]/ } },
          handler(code, id) {
            if (path.isAbsolute(id)) hashes.set(inProject(id), hashOf(code));
          },
        },
      },
      lightHttp(),
      sourceLocations({ nameOf, onProgram: addProgram, areKept: true }),
    ],
    logLevel: 'silent',
  });
  await bundles.write({
    dir: folder,
    format: 'es',
    // Read with NODE_OPTIONS=--enable-source-maps; by default reading them would take a quarter of the start.
    sourcemap: true,
    entryFileNames: '[name]',
    // Without a hash, so that the compiled code of a later build replaces that of this one.
    chunkFileNames: '[name].mjs',
  });
  await bundles.close();
  return { programs, hashes };
}

if (import.meta.main) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  try {
    await buildPrograms(path.resolve(import.meta.dirname, '../..'));
  } catch (error) {
    console.error(stripVTControlCharacters((error as Error).message));
    process.exitCode = 1;
  }
}
