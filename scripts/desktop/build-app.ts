/**
 * Builds what the app ships: `app/` for Electron (main, preload, window, icons) and `agent/` for the plain Node beside
 * it. Used by `npm run desktop`, by the packaging and by the tests of the window.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type InlineConfig } from 'vite';
import { NONCE_PLACEHOLDER } from '../../apps/desktop/src/main/window-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const DESKTOP = path.join(ROOT, 'apps/desktop');
const SOURCES = path.join(DESKTOP, 'src');

/** Chromium and Node of the Electron in package.json, or older. */
const WINDOW_TARGET = 'chrome140';
const NODE_TARGET = 'node24';
/** Programs of their own: started by their path, so each has to stay a file. */
const AGENT_PROGRAMS = {
  'agent/cli': 'agent/cli',
  'agent/is-root-trusted': 'agent/host/is-root-trusted',
  'agent/prove-trust': 'agent/host/prove-trust',
  'proxy/proxy-process': 'proxy/proxy-process',
  'supervisor/restore-watchdog': 'supervisor/restore-watchdog',
} as const;
/** Native packages, shipped as they are. */
export const NATIVE_PACKAGES = ['better-sqlite3', 'keytar'] as const;

export interface BuiltApp {
  readonly appDir: string;
  readonly agentDir: string;
}

const COMMON = { configFile: false, logLevel: 'error', clearScreen: false } as const satisfies InlineConfig;

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
    },
  });
}

/** Importing it does nothing. */
function isPure(file: string): boolean {
  return file.startsWith(path.join(ROOT, 'shared')) || /[\\/]typebox[\\/]/.test(file);
}

/** Everything, into `target`; what was there is gone. */
export async function buildApp(target: string): Promise<BuiltApp> {
  rmSync(target, { recursive: true, force: true });
  const appDir = path.join(target, 'app');
  const agentDir = path.join(target, 'agent');
  const { version, license } = JSON.parse(readFileSync(path.join(DESKTOP, 'package.json'), 'utf8'));
  await buildWindow(path.join(appDir, 'window'));
  await buildForNode(appDir, { 'main/main': 'main/main' }, { format: 'es', entryFileNames: 'src/[name].js' });
  await buildForNode(appDir, { preload: 'preload/preload' }, { format: 'cjs', entryFileNames: '[name].cjs' });
  await buildForNode(agentDir, AGENT_PROGRAMS, {
    format: 'es',
    entryFileNames: 'src/[name].js',
    chunkFileNames: 'src/shared/[name]-[hash].js',
  });
  cpSync(path.join(ROOT, 'build/icons/tray'), path.join(appDir, 'icons'), { recursive: true });
  cpSync(path.join(ROOT, 'build/icons/256x256.png'), path.join(appDir, 'icons/app.png'));
  // Not the workspace's name: electron-builder would look up its dependencies, and all of them are bundled.
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

interface Output {
  readonly format: 'es' | 'cjs';
  readonly entryFileNames: string;
  readonly chunkFileNames?: string;
}

async function buildForNode(
  outDir: string,
  programs: Readonly<Record<string, string>>,
  output: Output,
): Promise<void> {
  const input = Object.fromEntries(
    Object.entries(programs).map(([name, source]) => [name, path.join(SOURCES, `${source}.ts`)]),
  );
  await build({
    ...COMMON,
    root: ROOT,
    publicDir: false,
    ssr: { noExternal: true, external: ['electron', ...NATIVE_PACKAGES] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: NODE_TARGET,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input,
        // Comments and indentation stay out of the memory of two processes; names stay, for messages of faults.
        output: { ...output, minify: { codegen: true, compress: false, mangle: false } },
        // Modules of which nothing is used are left out: schemas of the whole contract, for one.
        treeshake: { moduleSideEffects: (file) => !isPure(file) },
      },
    },
  });
}

function writeManifest(folder: string, manifest: object): void {
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
