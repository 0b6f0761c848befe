/**
 * `npm run desktop`: builds and starts the tray app. Electron's binary is downloaded the first time; if that fails, one
 * sentence says what to do, and the exit code is 1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { startProgress } from './bootstrap/progress.mjs';
import { buildApp } from './desktop/build-app.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const FETCH_MS = 300_000;
const NO_BINARY =
  'The Electron binary could not be downloaded ({why}). Run this again with access to its release host or a mirror (ELECTRON_MIRROR), or set ELECTRON_OVERRIDE_DIST_PATH to an unpacked copy. Without a window, "npm run agent -- run" protects this computer as well.';

export type ElectronBinary =
  | { readonly kind: 'ok'; readonly file: string }
  | { readonly kind: 'missing'; readonly why: string };

/** Finds Electron's program without downloading anything. */
export function findElectron(env: NodeJS.ProcessEnv = process.env): ElectronBinary {
  const folder = path.dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  const own = env['ELECTRON_OVERRIDE_DIST_PATH'];
  const dist = own === undefined || own === '' ? path.join(folder, 'dist') : own;
  const program = programName(folder);
  const file = path.join(dist, program);
  return existsSync(file) ? { kind: 'ok', file } : { kind: 'missing', why: `${file} does not exist` };
}

/** Reads the program name from Electron's installer, or derives it as the installer would. */
function programName(folder: string): string {
  try {
    return readFileSync(path.join(folder, 'path.txt'), 'utf8');
  } catch {
    if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
    return process.platform === 'win32' ? 'electron.exe' : 'electron';
  }
}

async function fetchElectron(): Promise<ElectronBinary> {
  const installer = createRequire(import.meta.url).resolve('electron/install.js');
  const progress = startProgress('Fetching Electron');
  const child = spawn(process.execPath, [installer], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: FETCH_MS,
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint += chunk;
  });
  const [code] = await once(child, 'close');
  const found = findElectron();
  if (code === 0 && found.kind === 'ok') {
    progress.succeed();
    return found;
  }
  progress.fail();
  const [first = ''] = complaint.split('\n');
  return { kind: 'missing', why: first.replace(/^\w*Error: /, '') || 'no response' };
}

async function main(args: readonly string[]): Promise<number> {
  const here = findElectron();
  const electron =
    here.kind === 'ok' || process.env['ELECTRON_OVERRIDE_DIST_PATH'] ? here : await fetchElectron();
  if (electron.kind === 'missing') {
    console.error(NO_BINARY.replace('{why}', electron.why));
    return 1;
  }
  const progress = startProgress('Building the app');
  const { appDir } = await buildApp(path.join(ROOT, 'apps/desktop/dist'));
  progress.succeed();
  const child = spawn(electron.file, [appDir, ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      CSG_NODE: process.execPath,
      CSG_AGENT: path.join(ROOT, 'apps/desktop/src/agent/cli.ts'),
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`Electron could not be started: ${error.message}`);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
