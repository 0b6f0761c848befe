/**
 * `npm run package [-- --linux AppImage deb]`: builds the app and hands it to electron-builder, with its arguments as
 * they are. Packages hold native parts, so each system's are made on that system. build/README.md tells of signing.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { startProgress } from '../bootstrap/progress.mjs';
import { buildApp } from './build-app.ts';
import { BUILD_DIR, ensurePackagingTools } from './packaging-tools.ts';
import { stageAgent } from './stage-agent.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
export const CONFIG_FILE = path.join(BUILD_DIR, 'electron-builder.yml');
export const PROJECT_DIR = path.join(ROOT, 'apps/desktop');

/** Where packages look for updates; without `CSG_PACKAGE_FEED` nowhere. */
function feedOf(env: NodeJS.ProcessEnv): string[] {
  const url = env['CSG_PACKAGE_FEED'];
  if (url === undefined || url === '') return [];
  // What comes from a feed is run, so it must not be changed on the way.
  if (URL.parse(url)?.protocol !== 'https:') {
    throw new Error(`CSG_PACKAGE_FEED takes an address that starts with https://, not "${url}".`);
  }
  return ['-c.publish.provider=generic', `-c.publish.url=${url}`];
}

async function main(args: readonly string[]): Promise<number> {
  ensurePackagingTools();
  const dist = path.join(PROJECT_DIR, 'dist');
  const progress = startProgress('Building the app');
  await buildApp(dist);
  stageAgent(dist);
  progress.succeed();
  const cli = path.join(BUILD_DIR, 'node_modules/electron-builder/cli.js');
  const child = spawn(
    process.execPath,
    [
      cli,
      '--projectDir',
      PROJECT_DIR,
      '--config',
      CONFIG_FILE,
      '--publish',
      'never',
      ...feedOf(process.env),
      ...args,
    ],
    { stdio: 'inherit', cwd: ROOT },
  );
  return await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

if (import.meta.main) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
