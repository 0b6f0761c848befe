/** The whole built app with a real agent, over a real gateway and a stand-in provider behind TLS. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import type { AgentLink } from '../../../apps/desktop/src/main/agent-link.ts';
import { readAppSettings } from '../../../apps/desktop/src/main/read-app-settings.ts';
import { runApp } from '../../../apps/desktop/src/main/run-app.ts';
import { type BuiltApp, buildApp } from '../../../scripts/desktop/build-app.ts';
import { stageNative } from '../../../scripts/desktop/stage-agent.ts';
import { COMPILE_CACHE } from '../compile-cache.ts';
import { tempFolder } from '../temp-folder.ts';
import { type StandInElectron, standInElectron } from './stand-in-electron.ts';

export interface DesktopApp {
  readonly electron: StandInElectron;
  readonly link: AgentLink;
  readonly stateDir: string;
  close(): Promise<void>;
}

/** Built once, packaged as for a release: the agent finds its native packages next to it. */
export async function buildForTests(): Promise<BuiltApp & { readonly dir: string }> {
  const dir = tempFolder('app');
  const built = await buildApp(dir);
  stageNative(path.join(built.agentDir, 'node_modules'));
  return { ...built, dir };
}

export async function runDesktopApp(
  dir: string,
  context: BrowserContext | null,
  options: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<DesktopApp> {
  const home = tempFolder('app-home');
  mkdirSync(path.join(home, 'state'));
  const settings = readAppSettings({
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      AGENT_STATE_DIR: path.join(home, 'state'),
      AGENT_SYSTEM_PROXY: 'off',
      AGENT_VAULT: 'file',
      CSG_NODE: process.execPath,
      ...options.env,
    },
    platform: process.platform,
    appDir: path.join(dir, 'app'),
    resourcesDir: dir,
  });
  const electron = await standInElectron(context);
  const starting = runApp(electron.parts, {
    settings,
    args: options.args ?? [],
    program: '/opt/Content Security Agent/content-security-agent',
    updater: null,
    pauses: { firstMs: 50, longestMs: 500, pollMs: 50, idleMs: 50 },
  });
  electron.entryEvaluated();
  const link = await starting;
  if (link === null) throw new Error('The app did not start.');
  return {
    electron,
    link,
    stateDir: settings.agent.stateDir,
    async close() {
      await link.end();
      await electron.close();
    },
  };
}

/** For `AGENT_UPSTREAM_CA`. */
export function writeAuthority(pem: string): string {
  const file = path.join(tempFolder('provider-ca'), 'ca.pem');
  writeFileSync(file, pem);
  return file;
}
