import { existsSync } from 'node:fs';
import path from 'node:path';
import { runNpm } from './run-npm.mjs';

const MAJOR = 24;
const HINT = `The npm package "node" brings Node ${MAJOR}, but its binary did not arrive (are install scripts disabled?).
What to try: "npm rebuild node --ignore-scripts=false", or install Node ${MAJOR} on this machine and start again.`;

/**
 * Returns the Node that runs this project: that of the `node` package, else of its platform package, else the current
 * one if it is new enough.
 * @param {string} root
 * @returns {string | undefined}
 */
export function findNode(root) {
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const inNode = path.join(root, 'node_modules/node');
  const candidates = [
    path.join(inNode, 'bin', executable),
    ...[inNode, root].flatMap((from) =>
      ['node', 'node-bin'].map((prefix) =>
        path.join(from, 'node_modules', `${prefix}-${platform}`, 'bin', executable),
      ),
    ),
  ];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found !== undefined) return found;
  return Number.parseInt(process.versions.node, 10) >= MAJOR ? process.execPath : undefined;
}

/**
 * Does the same as the `node` package's install script, for an npm that runs no scripts.
 * @param {string} root
 */
export async function fetchNode(root) {
  const label = `Fetching Node ${MAJOR}`;
  const args = ['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error'];
  await runNpm(args, { cwd: root, label, hint: HINT });
  const node = findNode(root);
  if (node !== undefined) return node;
  console.error(`\n${HINT}`);
  process.exit(1);
}
