/**
 * Builds the contents of the app: `app/` for Electron (main, preload, window, icons) and `agent/` for the plain Node
 * next to it. Used by `npm run desktop`, by the packaging and by the tests of the window.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { build, type InlineConfig } from 'vite';
import { NONCE_PLACEHOLDER } from '../../apps/desktop/src/main/window-files.ts';
import { ALIASES, sourceLocations } from '../programs/source-locations.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const DESKTOP = path.join(ROOT, 'apps/desktop');
const SOURCES = path.join(DESKTOP, 'src');

/** No newer than Chromium and Node of the Electron in package.json. */
const WINDOW_TARGET = 'chrome140';
const NODE_TARGET = 'node24';
/** Native packages, shipped unchanged. */
export const NATIVE_PACKAGES = ['better-sqlite3', 'keytar'] as const;

export interface BuiltApp {
  readonly appDir: string;
  readonly agentDir: string;
}

const COMMON = { configFile: false, logLevel: 'error', clearScreen: false } as const satisfies InlineConfig;

/** Omits unused modules, such as the schemas of the whole contract. */
const TREESHAKE = { moduleSideEffects: (file: string) => !isPure(file) };

/** True for files whose import has no side effects. */
function isPure(file: string): boolean {
  return file.startsWith(path.join(ROOT, 'shared')) || /[\\/]typebox[\\/]/.test(file);
}

export async function buildWindow(outDir: string): Promise<void> {
  await build({
    ...COMMON,
    root: path.join(SOURCES, 'window'),
    html: { cspNonce: NONCE_PLACEHOLDER },
    build: {
      outDir,
      emptyOutDir: true,
      target: WINDOW_TARGET,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: { treeshake: TREESHAKE },
    },
  });
}

/** Builds everything into `target`, which is emptied first. */
export async function buildApp(target: string): Promise<BuiltApp> {
  rmSync(target, { recursive: true, force: true });
  const appDir = path.join(target, 'app');
  const agentDir = path.join(target, 'agent');
  const { version, license } = JSON.parse(readFileSync(path.join(DESKTOP, 'package.json'), 'utf8'));
  await buildWindow(path.join(appDir, 'window'));
  await buildForNode(appDir, { 'src/main/main.js': './main/main.ts' }, 'es');
  await buildForNode(appDir, { 'preload.cjs': './preload/preload.ts' }, 'cjs');
  await buildForNode(agentDir, { 'src/agent/cli.js': './agent/cli.ts' }, 'es');
  cpSync(path.join(ROOT, 'build/icons/tray'), path.join(appDir, 'icons'), { recursive: true });
  cpSync(path.join(ROOT, 'build/icons/256x256.png'), path.join(appDir, 'icons/app.png'));
  // Without dependencies: electron-builder would resolve those of the workspace, but all of them are bundled.
  const about = { name: 'content-security-agent', version, license, type: 'module' };
  writeManifest(appDir, {
    ...about,
    productName: 'Content Security Agent',
    description: 'Protects what is sent to AI tools',
    author: 'Content Security Gateway maintainers',
    main: 'src/main/main.js',
  });
  writeManifest(agentDir, about);
  return { appDir, agentDir };
}

/** Also builds the programs that they start by their path, each into a file at the same place in `src`. */
async function buildForNode(
  outDir: string,
  programs: Readonly<Record<string, string>>,
  format: 'es' | 'cjs',
): Promise<void> {
  const nameOf = (source: string) =>
    path.posix.join('src', path.relative(SOURCES, source).replace(/\.ts$/, '.js').replaceAll(path.sep, '/'));
  const bundle = await rolldown({
    cwd: SOURCES,
    platform: 'node',
    // The module of a program is in its file, never behind a facade: `import.meta.main` is true there only.
    preserveEntrySignatures: 'allow-extension',
    input: { ...programs },
    external: ['electron', ...NATIVE_PACKAGES].map((name) => new RegExp(`^${name}(?:/|$)`)),
    resolve: { alias: ALIASES },
    transform: { target: NODE_TARGET },
    treeshake: TREESHAKE,
    plugins: [sourceLocations({ nameOf, areKept: false })],
    logLevel: 'silent',
  });
  await bundle.write({
    dir: outDir,
    format,
    entryFileNames: '[name]',
    chunkFileNames: 'src/shared/[name]-[hash].js',
    // Removing comments and whitespace saves memory in two processes; names stay for error messages.
    minify: { codegen: true, compress: false, mangle: false },
  });
  await bundle.close();
}

function writeManifest(folder: string, manifest: object): void {
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
