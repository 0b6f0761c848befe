import { spawn } from 'node:child_process';

const END_WITH_PARENT = new URL('./end-with-parent.mjs', import.meta.url).href;
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);

/**
 * Becomes `node options script args`. If this Node can replace itself (execve) it does; otherwise it waits for a child,
 * forwards signals and exits like the child.
 * @param {string} node
 * @param {readonly string[]} options of Node
 * @param {string} script
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export async function runScript(node, options, script, args, env) {
  const command = ['--import', END_WITH_PARENT, ...options, script, ...args];
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.execve(node, [node, ...command], env);
  }
  const child = spawn(node, command, { stdio: 'inherit', env });
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // The terminal itself sends a key press (Ctrl-C, Ctrl-\) to the child; a second signal would mean "do not wait".
      const isKeyPress = process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT');
      if (!isKeyPress) child.kill(signal);
    });
  }
  await new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`Could not start ${node}: ${error.message}`);
      process.exit(1);
    });
    child.on('exit', (code, signal) => {
      for (const name of SIGNALS) process.removeAllListeners(name);
      if (signal === null) process.exit(code ?? 1);
      resolve(process.kill(process.pid, signal));
    });
  });
}
