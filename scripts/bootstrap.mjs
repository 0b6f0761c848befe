/**
 * Starts one script of this project with the right Node: `node scripts/bootstrap.mjs <script> [args]`. Plain
 * JavaScript, because it runs under any Node (>= 20) on a fresh machine, before anything is installed. It reports on
 * standard error only, so that standard output contains just a script's `--json`.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './bootstrap/install-packages.mjs';
import { isInstalled } from './bootstrap/is-installed.mjs';
import { fetchNode, findNode } from './bootstrap/node-binary.mjs';
import { prepareProgram } from './bootstrap/prepare-program.mjs';
import { runScript } from './bootstrap/run-script.mjs';
import { SERVICE_OPTIONS } from './bootstrap/service-options.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [script, ...args] = process.argv.slice(2);
/** The program of `npm start`, which also serves the dashboard. */
const SERVICE = 'apps/cloud/src/main.ts';

if (script === undefined) {
  console.error('usage: node scripts/bootstrap.mjs <script> [args]');
  process.exit(2);
}
if (!isInstalled(root)) await installPackages(root);
const node = findNode(root) ?? (await fetchNode(root));
const asksForHelp = args.includes('--help') || args.includes('-h');
const { file, compileCache } =
  script.startsWith('apps/') && !asksForHelp
    ? await prepareProgram(root, node, script, { servesDashboard: script === SERVICE })
    : { file: path.join(root, script), compileCache: path.join(root, 'node_modules/.cache/node-compile') };
await runScript(node, script === SERVICE ? SERVICE_OPTIONS : [], file, args, {
  ...process.env,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compileCache,
});
