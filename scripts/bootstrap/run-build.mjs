import { spawn } from 'node:child_process';

const MAX_OUTPUT = 16 * 1024;

/**
 * Runs a build as a process of its own. Returns its output if it fails or is stopped.
 * @param {string} node
 * @param {string[]} args
 * @param {string} cwd
 * @param {AbortSignal} [signal]
 * @returns {Promise<string | undefined>}
 */
export function runBuild(node, args, cwd, signal) {
  return new Promise((resolve) => {
    const child = spawn(node, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], ...(signal && { signal }) });
    let output = '';
    const add = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk).slice(-MAX_OUTPUT);
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.on('error', (error) => add(Buffer.from(`${error.message}\n`)));
    child.on('close', (code) => resolve(code === 0 ? undefined : output.trimEnd()));
  });
}
