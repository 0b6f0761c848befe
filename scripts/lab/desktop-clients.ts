/**
 * `npm run lab -- desktop-clients`: tests typical programs through the agent's proxy. Installs three versions of Node with
 * packages into separate folders, with a stand-in provider at the other end, and prints the results.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { installPackages } from '../install-packages.ts';
import { readOptions } from '../options.ts';
import { missingTool } from '../system-tools.ts';
import { type CheckResult, tableOf } from './clients/checks.ts';
import { checkHeaderCases, checkTool, startProxySetup } from './desktop-clients/run-tools.ts';
import {
  JAVA,
  javaTools,
  type NodeProgram,
  nodeTools,
  pythonTool,
  type Tool,
} from './desktop-clients/tools.ts';

const SDK = '1.11.0';
/** Package versions that run on each Node: the newest openai needs Node 22. */
const NODES = [
  { node: '20.20.2', openai: '6.49.0', undici: '7.30.2', ownFetchKnowsProxy: false },
  { node: '22.23.3', openai: '7.55.0', undici: '8.12.4', ownFetchKnowsProxy: true },
  { node: '24.21.0', openai: '7.55.0', undici: '8.12.4', ownFetchKnowsProxy: true },
] as const;

async function installNode({
  node,
  openai,
  undici,
  ownFetchKnowsProxy,
}: (typeof NODES)[number]): Promise<NodeProgram> {
  const [major = ''] = node.split('.');
  const cwd = path.resolve(import.meta.dirname, `../../node_modules/.cache/desktop-clients/node-${major}`);
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const program = `node-${system}-${process.arch}`;
  await installPackages(cwd, { [program]: node, openai, undici, '@anthropic-ai/sdk': SDK });
  const file = path.join(cwd, 'node_modules', program, 'bin', system === 'win' ? 'node.exe' : 'node');
  return { name: `Node ${node}`, file, cwd, ownFetchKnowsProxy };
}

/** Java uses its own trust store. */
function prepareJava(folder: string, caFile: string): Tool[] {
  const store = [
    '-keystore',
    path.join(folder, 'trust.p12'),
    '-storepass',
    'changeit',
    '-storetype',
    'PKCS12',
  ];
  execFileSync('keytool', ['-importcert', '-noprompt', '-alias', 'agent', '-file', caFile, ...store], {
    stdio: 'ignore',
  });
  writeFileSync(path.join(folder, 'Ask.java'), JAVA);
  return javaTools(folder);
}

if (import.meta.main) {
  readOptions({
    command: 'npm run lab -- desktop-clients',
    about: "Runs client packages on three versions of Node, Python and Java through the agent's proxy.",
    options: {},
  });
  const folder = tempFolder('desktop-clients');
  const stage = await startProxySetup(folder);
  const results: CheckResult[] = [];
  const print = (own: readonly CheckResult[]): void => {
    results.push(...own);
    console.log(tableOf(own));
  };
  try {
    const tools: Tool[] = [];
    for (const entry of NODES) tools.push(...nodeTools(await installNode(entry)));
    if (missingTool(['python']) === false) tools.push(pythonTool(folder));
    if (missingTool(['java']) === false) tools.push(...prepareJava(folder, stage.caFile));
    for (const tool of tools) print(await checkTool(tool, stage));
    print(await checkHeaderCases(stage));
  } finally {
    await stage.close();
  }
  const passed = results.filter(({ isPassed }) => isPassed).length;
  console.log(`\n${passed} of ${results.length} checks passed.`);
  process.exitCode = passed === results.length ? 0 : 1;
}
