import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * True if node_modules matches package-lock.json. npm records the last complete install in
 * node_modules/.package-lock.json (an interrupted one leaves none), so the two are compared.
 * @param {string} root
 */
export function isInstalled(root) {
  const there = readPackages(path.join(root, 'node_modules/.package-lock.json'));
  if (there === undefined) return false;
  return wantedPackages(root).every(
    ([name, wanted]) => there[name] !== undefined && there[name].version === wanted.version,
  );
}

/**
 * Returns the entries of the lock file for this machine: all except the root and those for other platforms.
 * @param {string} root
 * @returns {[string, LockEntry][]}
 */
export function wantedPackages(root) {
  const lock = readPackages(path.join(root, 'package-lock.json'));
  if (lock === undefined) return [];
  return Object.entries(lock).filter(([name, entry]) => name !== '' && !entry.optional && !entry.extraneous);
}

/**
 * @typedef {{ version?: string, optional?: boolean, extraneous?: boolean }} LockEntry
 * @param {string} file
 * @returns {Record<string, LockEntry> | undefined} nothing where the file is missing or half written
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
