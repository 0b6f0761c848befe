import { spawn } from 'node:child_process';
import path from 'node:path';
import { startProgress } from './progress.mjs';

const LINES_SHOWN = 25;
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs npm (the one that started us, if any) as one visible step. On failure, ends this process with npm's own first
 * lines and a hint.
 * @param {string[]} args
 * @param {{ cwd: string, label: string, hint: string, detail?: () => string }} step
 */
export async function runNpm(args, { cwd, label, hint, detail }) {
  const progress = startProgress(label, detail);
  const { code, output } = await collect(npmCommand(), args, cwd);
  if (code === 0) return progress.succeed();
  progress.fail();
  const isStack = (/** @type {string} */ line) => /^npm (error|ERR!)\s+at /.test(line);
  const lines = output
    .trimEnd()
    .split('\n')
    .filter((line) => !isStack(line))
    // npm prints the cause first and its usage after it.
    .slice(0, LINES_SHOWN);
  console.error(
    `\nnpm ${args[0]} failed. It said:\n${lines.map((line) => `  ${line}`).join('\n')}\n\n${hint}`,
  );
  process.exit(1);
}

/** @returns {[program: string, ...first: string[]]} */
function npmCommand() {
  const cli = process.env.npm_execpath;
  if (cli !== undefined && path.basename(cli) === 'npm-cli.js') {
    return [process.env.npm_node_execpath ?? process.execPath, cli];
  }
  return ['npm'];
}

/**
 * @param {[program: string, ...first: string[]]} command
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function collect([program, ...first], args, cwd) {
  return new Promise((resolve) => {
    const child = spawn(program, [...first, ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && program === 'npm',
    });
    let output = '';
    const add = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk).slice(-64 * 1024);
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    let isStopped = false;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        isStopped = true;
        child.kill(signal);
      });
    }
    child.on('error', (error) => resolve({ code: null, output: `${output}${error.message}\n` }));
    child.on('close', (code) => {
      for (const signal of SIGNALS) process.removeAllListeners(signal);
      // Waits for npm to exit: one that is still shutting down would conflict with the next.
      if (isStopped) {
        process.stderr.write(
          '\nStopped before the installation was complete; the next start does it again.\n',
        );
        process.exit(1);
      }
      resolve({ code, output });
    });
  });
}
