import { spawn } from 'node:child_process';
import path from 'node:path';
import { startProgress } from '../bootstrap/progress.mjs';
import { buildApp } from './build-app.ts';
import { BUILD_DIR, ensurePackagingTools } from './packaging-tools.ts';
import { stageAgent } from './stage-agent.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
export const CONFIG_FILE = path.join(BUILD_DIR, 'electron-builder.yml');
export const PROJECT_DIR = path.join(ROOT, 'apps/desktop');

/** The update feed of packages; none without `CSG_PACKAGE_FEED`. */
function feedOf(env: NodeJS.ProcessEnv): string[] {
  const url = env['CSG_PACKAGE_FEED'];
  if (url === undefined || url === '') return [];
  // Files of a feed are executed, so their transport has to be authenticated.
  if (URL.parse(url)?.protocol !== 'https:') {
    throw new Error(`CSG_PACKAGE_FEED must be a URL that starts with https://, not "${url}".`);
  }
  return ['-c.publish.provider=generic', `-c.publish.url=${url}`];
}

/**
 * Builds the app and runs electron-builder with the given arguments; resolves to its exit code. Packages contain native
 * parts, so each system's are built on that system. build/README.md describes signing.
 */
export async function packageApp(args: readonly string[]): Promise<number> {
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
