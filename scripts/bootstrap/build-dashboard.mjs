import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { runBuild } from './run-build.mjs';

const DASHBOARD = 'apps/cloud/dashboard';
/** Inputs of the build, relative to the dashboard's folder. */
export const SOURCES = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  '../../../shared/contract',
  '../../../shared/text',
  '../../../shared/theme',
  '../../../shared/vocabulary',
  '../../../package-lock.json',
];
const STAMP = '.built-from';
/** Smaller files are sent uncompressed. */
const COMPRESSED_FROM_BYTES = 1_000;

/**
 * True if the dashboard was built from its current sources.
 * @param {string} root
 */
export function isDashboardBuilt(root) {
  const folder = path.join(root, DASHBOARD);
  return stampOf(path.join(folder, 'dist')) === fingerprint(folder);
}

/**
 * Builds the dashboard if its sources changed since the last build. The new files replace the old ones atomically at
 * the end: a build that fails or is interrupted changes nothing. Returns an error message, or nothing.
 * @param {string} root
 * @param {string} node the Node to build with
 * @param {AbortSignal} [signal]
 * @returns {Promise<string | undefined>}
 */
export async function buildDashboard(root, node, signal) {
  const folder = path.join(root, DASHBOARD);
  const target = path.join(folder, 'dist');
  const wanted = fingerprint(folder);
  if (stampOf(target) === wanted) return undefined;
  const fresh = path.join(folder, `dist.${process.pid}`);
  try {
    const vite = path.join(root, 'node_modules/vite/bin/vite.js');
    const args = [vite, 'build', folder, '--outDir', fresh, '--emptyOutDir', '--logLevel', 'error'];
    const problem = await runBuild(node, args, folder, signal);
    if (problem !== undefined) return problem;
    compress(fresh);
    writeFileSync(path.join(fresh, STAMP), wanted);
    replaceTarget(fresh, target);
    return undefined;
  } catch (error) {
    return /** @type {Error} */ (error).message;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * Changes whenever an input of the build does.
 * @param {string} folder
 */
export function fingerprint(folder) {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesBelow(path.join(folder, source))) {
      hash.update(path.relative(folder, file)).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [folder];
  }
}

/** @param {string} target */
function stampOf(target) {
  try {
    return readFileSync(path.join(target, STAMP), 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} folder */
function compress(folder) {
  for (const file of filesBelow(folder)) {
    const bytes = readFileSync(file);
    if (!/\.(?:js|css|svg)$/.test(file) || bytes.length < COMPRESSED_FROM_BYTES) continue;
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    );
  }
}

/**
 * If two builds run in parallel, the later one replaces the first; both have the same result.
 * @param {string} fresh
 * @param {string} target
 */
function replaceTarget(fresh, target) {
  const old = `${target}.old.${process.pid}`;
  try {
    renameSync(target, old);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  try {
    renameSync(fresh, target);
  } catch (error) {
    // Another process has just replaced it.
    if (!existsSync(target)) throw error;
  }
  rmSync(old, { recursive: true, force: true });
}
