/**
 * The app around the agent, with tray, window and notifications: Electron's main process. It starts the agent as a plain
 * Node program and uses its control channel; it intercepts and decides nothing.
 */
import path from 'node:path';
import { AgentError, type AgentSettings, readSettings } from '../agent/settings/read-settings.ts';

export interface AppSettings {
  readonly agent: AgentSettings;
  /** The plain Node that runs the agent, never Electron's own. */
  readonly nodePath: string;
  /** The agent's command line. */
  readonly agentScript: string;
  /** The agent's environment: ours without the variables of Electron. */
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly windowDir: string;
  readonly preloadPath: string;
  readonly iconDir: string;
  /** The update feed; null for none. */
  readonly updateUrl: string | null;
}

export interface AppLocation {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The build output: `src/main/main.js`, `preload.cjs`, `window/`, `icons/`. */
  readonly appDir: string;
  /** Electron's `process.resourcesPath`: a packaged app has `node/` and `agent/` there. */
  readonly resourcesDir: string;
}

/** Throws AgentError if a value is invalid. */
export function readAppSettings({ env, platform, appDir, resourcesDir }: AppLocation): AppSettings {
  const node = platform === 'win32' ? 'node.exe' : 'node';
  return {
    agent: readSettings(env, platform),
    nodePath: env['CSG_NODE'] || path.join(resourcesDir, 'node', node),
    agentScript: env['CSG_AGENT'] || path.join(resourcesDir, 'agent', 'src', 'agent', 'cli.js'),
    agentEnv: Object.fromEntries(
      Object.entries(env).filter(
        (entry): entry is [string, string] =>
          entry[1] !== undefined && !/^(?:ELECTRON|CHROME)_/.test(entry[0]),
      ),
    ),
    windowDir: path.join(appDir, 'window'),
    preloadPath: path.join(appDir, 'preload.cjs'),
    iconDir: path.join(appDir, 'icons'),
    updateUrl: parseUpdateUrl(env['CSG_UPDATE_URL']),
  };
}

/** Updates are executed, so their transport has to be authenticated. */
function parseUpdateUrl(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  if (URL.parse(text)?.protocol !== 'https:') {
    throw new AgentError(`CSG_UPDATE_URL must be a URL that starts with https://, not "${text}".`);
  }
  return text;
}
