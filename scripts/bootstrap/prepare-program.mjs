import path from 'node:path';
import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs';
import { buildPrograms } from './build-programs.mjs';
import { findBuild, markInUse } from './find-build.mjs';
import { startProgress } from './progress.mjs';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const LINES_SHOWN = 25;

/**
 * Builds what changed since the last start, and returns what to run for a program's source file, and where it keeps
 * compiled code. What cannot be built does not prevent the start.
 * @param {string} root
 * @param {string} node
 * @param {string} source its path in the project
 * @param {{ servesDashboard?: boolean }} [options]
 */
export async function prepareProgram(root, node, source, options) {
  const build = await prepareBuild(root, node, options);
  const file = path.join(root, source);
  return {
    file: build?.programs.get(file) ?? file,
    compileCache: path.join(build?.folder ?? path.join(root, 'node_modules/.cache'), 'node-compile'),
  };
}

/**
 * Returns the build of the programs for this process to use, after making it, and the dashboard if it is served, where
 * sources changed; nothing if it cannot be made.
 * @param {string} root
 * @param {string} node
 * @param {{ servesDashboard?: boolean }} [options]
 */
export async function prepareBuild(root, node, { servesDashboard = false } = {}) {
  let build = findBuild(root);
  const lacksDashboard = servesDashboard && !isDashboardBuilt(root);
  if (build === undefined || lacksDashboard) {
    const names = [
      ...(lacksDashboard ? ['the dashboard'] : []),
      ...(build === undefined ? ['the programs'] : []),
    ];
    build = await buildNow(root, node, names.join(' and '), lacksDashboard);
  }
  if (build !== undefined) markInUse(build.folder);
  return build;
}

/**
 * @param {string} root
 * @param {string} node
 * @param {string} names
 * @param {boolean} lacksDashboard
 */
async function buildNow(root, node, names, lacksDashboard) {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of SIGNALS) process.on(signal, stop);
  const progress = startProgress(`Building ${names}`);
  const [build, dashboardProblem] = await Promise.all([
    buildPrograms(root, node, stopping.signal),
    lacksDashboard ? buildDashboard(root, node, stopping.signal) : undefined,
  ]);
  for (const signal of SIGNALS) process.removeListener(signal, stop);
  const isComplete = typeof build !== 'string' && dashboardProblem === undefined;
  if (isComplete) progress.succeed();
  else progress.fail();
  if (stopping.signal.aborted) {
    console.error('\nStopped before everything was built; the next start does it again.');
    process.exit(1);
  }
  if (dashboardProblem !== undefined) {
    console.error(
      `\n${dashboardProblem}\n\nThe service starts without its dashboard; everything else works.\n`,
    );
  }
  if (typeof build !== 'string') return build;
  const reason = build.split('\n').slice(0, LINES_SHOWN).join('\n');
  console.error(
    `\n${reason}\n\nThe programs could not be built: they run from their sources, which start slower.\n`,
  );
  return undefined;
}
