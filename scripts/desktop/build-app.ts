/**
 * Builds the contents of the app: `app/` for Electron (main, preload, window, icons) and `agent/` for the plain Node
 * next to it. Used by `npm run desktop`, by the packaging and by the tests of the window.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type InlineConfig } from 'vite';
import { NONCE_PLACEHOLDER } from '../../apps/desktop/src/main/window-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const DESKTOP = path.join(ROOT, 'apps/desktop');
const SOURCES = path.join(DESKTOP, 'src');

/** No newer than Chromium and Node of the Electron in package.json. */
const WINDOW_TARGET = 'chrome140';
const NODE_TARGET = 'node24';
/** Separate programs, started by their path, so each has to stay a file. */
const AGENT_PROGRAMS = {
  'agent/cli': 'agent/cli',
  'agent/is-root-trusted': 'agent/host/is-root-trusted',
  'agent/verify-trust': 'agent/host/verify-trust',
  'proxy/proxy-process': 'proxy/proxy-process',
  'supervisor/restore-watchdog': 'supervisor/restore-watchdog',
} as const;
/** Native packages, shipped unchanged. */
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

/** True for files whose import has no side effects. */
function isPure(file: string): boolean {
  return file.startsWith(path.join(ROOT, 'shared')) || /[\\/]typebox[\\/]/.test(file);
}

/** Builds everything into `target`, which is emptied first. */
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
        // Removing comments and whitespace saves memory in two processes; names stay for error messages.
        output: { ...output, minify: { codegen: true, compress: false, mangle: false } },
        // Omits unused modules, such as the schemas of the whole contract.
        treeshake: { moduleSideEffects: (file) => !isPure(file) },
      },
    },
  });
}

function writeManifest(folder: string, manifest: object): void {
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
