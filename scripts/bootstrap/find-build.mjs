/**
 * The build of the programs: their sources and packages as a few JavaScript files (scripts/programs/build-programs.ts),
 * which load in a fraction of the time. A build is found only while everything that it was made from is unchanged.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRunning } from './lock-file.mjs';

/** A file whose stamp is more recent may change again without getting another one. */
const SETTLED_MS = 2_000;

/**
 * Size and times of a file, and the hash of its contents, which counts where they differ.
 * @typedef {{ file: string, stamp: string, hash: string }} Input
 * @typedef {{ folder: string, inputs: Input[], outputs: Record<string, number> }} Manifest
 * @typedef {{ folder: string, programs: ReadonlyMap<string, string> }} Build
 *   `programs`: the built file of each source file that is started by its path, as a program or a thread; absolute paths
 */

/** In a build: the built file of each program, by its source file, as paths in the build and in the project. */
export const PROGRAMS_FILE = 'programs.json';

/**
 * A folder for each place of the project, because a build contains the paths of its sources.
 * @param {string} root
 */
export function programsFolder(root) {
  return path.join(root, 'node_modules/.cache/programs', hashOf(root).slice(0, 8));
}

/**
 * Returns the build, unless there is none of the current sources.
 * @param {string} root
 * @returns {Build | undefined}
 */
export function findBuild(root) {
  const parent = programsFolder(root);
  try {
    /** @type {Manifest} */
    const manifest = JSON.parse(readFileSync(path.join(parent, 'current.json'), 'utf8'));
    const folder = path.join(parent, manifest.folder);
    for (const [name, size] of Object.entries(manifest.outputs)) {
      if (statSync(path.join(folder, name)).size !== size) return undefined;
    }
    const restamped = unchangedInputs(root, manifest.inputs);
    if (restamped === undefined) return undefined;
    if (restamped !== manifest.inputs) keepStamps(parent, { ...manifest, inputs: restamped });
    return { folder, programs: programsOf(root, folder) };
  } catch {
    // Missing or damaged: it is built again.
    return undefined;
  }
}

/**
 * @param {string} root
 * @param {string} folder of the build
 * @returns {ReadonlyMap<string, string>}
 */
export function programsOf(root, folder) {
  const programs = JSON.parse(readFileSync(path.join(folder, PROGRAMS_FILE), 'utf8'));
  return new Map(
    Object.entries(programs).map(([source, built]) => [path.join(root, source), path.join(folder, built)]),
  );
}

/**
 * Returns the inputs, with the current stamps where only those changed; undefined if contents did.
 * @param {string} root
 * @param {Input[]} inputs
 */
function unchangedInputs(root, inputs) {
  const readMs = Date.now();
  let restamped = inputs;
  for (const [index, { file, stamp, hash }] of inputs.entries()) {
    const now = stampOf(path.join(root, file), readMs);
    if (now === stamp && stamp !== '') continue;
    if (hashOf(readFileSync(path.join(root, file))) !== hash) return undefined;
    if (now === '') continue;
    if (restamped === inputs) restamped = [...inputs];
    restamped[index] = { file, stamp: now, hash };
  }
  return restamped;
}

/**
 * Names a build as the current one.
 * @param {string} parent
 * @param {Manifest} manifest
 */
export function writeManifest(parent, manifest) {
  const fresh = path.join(parent, `current.${process.pid}.json`);
  try {
    writeFileSync(fresh, JSON.stringify(manifest));
    renameSync(fresh, path.join(parent, 'current.json'));
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/**
 * @param {string} parent
 * @param {Manifest} manifest
 */
function keepStamps(parent, manifest) {
  try {
    writeManifest(parent, manifest);
  } catch {
    // Only the next search takes longer.
  }
}

/**
 * Returns the size and times of a file that has not changed since `readMs`, or shortly before; otherwise nothing.
 * @param {string} file
 * @param {number} readMs when its contents were read
 */
export function stampOf(file, readMs) {
  const { size, mtimeMs, ctimeMs } = statSync(file);
  return Math.max(mtimeMs, ctimeMs) > readMs - SETTLED_MS ? '' : `${size} ${mtimeMs} ${ctimeMs}`;
}

/** @param {string | Buffer} contents */
export function hashOf(contents) {
  return createHash('sha256').update(contents).digest('hex');
}

/**
 * Removes all builds that are neither the current one nor in use, and the remains of interrupted ones.
 * @param {string} parent
 */
export function removeOldBuilds(parent) {
  const current = currentFolder(parent);
  for (const name of readdirSync(parent)) {
    const folder = path.join(parent, name);
    if (name.startsWith('build-') && name !== current && !isInUse(folder))
      rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} parent */
function currentFolder(parent) {
  try {
    return JSON.parse(readFileSync(path.join(parent, 'current.json'), 'utf8')).folder;
  } catch {
    return undefined;
  }
}

/** @param {string} folder */
function isInUse(folder) {
  try {
    return readdirSync(path.join(folder, 'used-by')).some((pid) => isRunning(Number(pid)));
  } catch {
    return false;
  }
}

/**
 * Marks the build as in use by this process, so that later builds do not remove it.
 * @param {string} folder
 */
export function markInUse(folder) {
  try {
    mkdirSync(path.join(folder, 'used-by'), { recursive: true });
    writeFileSync(path.join(folder, 'used-by', String(process.pid)), '');
  } catch {
    // A folder that cannot be written to is not removed either.
  }
}
