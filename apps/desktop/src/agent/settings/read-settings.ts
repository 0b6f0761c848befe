/**
 * The agent's settings, read from its environment. The agent is a plain Node program, started by a user, a service
 * manager or the tray app. Never imports electron, never opens a connection of an app.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export interface AgentSettings {
  readonly stateDir: string;
  /** 0: any port. */
  readonly proxyPort: number;
  /** False: the computer's settings are left alone. */
  readonly changesSystemProxy: boolean;
  readonly extraHosts: readonly string[];
  /** PEM of additional roots for the certificates of providers. */
  readonly upstreamCa: readonly string[];
  readonly upstreamProxy: string | null;
  /** Address or path of the company's own PAC file. */
  readonly upstreamPac: string | null;
  /** `auto`: the keychain, or files if this computer has none. */
  readonly vault: 'auto' | 'keychain' | 'file';
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** An error whose message is a sentence for the user of the command line. */
export class AgentError extends Error {}

/** Throws AgentError for an invalid value. */
export function readSettings(env: Env, platform: NodeJS.Platform = process.platform): AgentSettings {
  const home = env['HOME'] ?? homedir();
  return {
    stateDir: path.resolve(env['AGENT_STATE_DIR'] || defaultStateDir(env, platform, home)),
    proxyPort: readPort(env['AGENT_PROXY_PORT']),
    changesSystemProxy: readSwitch('AGENT_SYSTEM_PROXY', env['AGENT_SYSTEM_PROXY']),
    extraHosts: readHosts(env['AGENT_EXTRA_HOSTS']),
    upstreamCa: readUpstreamCa(env['AGENT_UPSTREAM_CA']),
    upstreamProxy: readProxy('AGENT_UPSTREAM_PROXY', env['AGENT_UPSTREAM_PROXY']),
    upstreamPac: readPac('AGENT_UPSTREAM_PAC', env['AGENT_UPSTREAM_PAC']),
    vault: readVault(env['AGENT_VAULT']),
    platform,
    home,
  };
}

function defaultStateDir(env: Env, platform: NodeJS.Platform, home: string): string {
  if (platform === 'darwin')
    return path.join(home, 'Library', 'Application Support', 'Content Security Agent');
  if (platform === 'win32') {
    return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'Content Security Agent');
  }
  return path.join(env['XDG_STATE_HOME'] || path.join(home, '.local', 'state'), 'content-security-agent');
}

function readPort(value: string | undefined): number {
  if (value === undefined || value === '') return 0;
  const port = Number(value);
  if (/^\d{1,5}$/.test(value) && port <= 65_535) return port;
  throw new AgentError(`AGENT_PROXY_PORT must be a port from 0 (any) to 65535, not "${value}".`);
}

function readSwitch(name: string, value: string | undefined): boolean {
  if (value === undefined || value === '' || value === 'on') return true;
  if (value === 'off') return false;
  throw new AgentError(`${name} must be on or off, not "${value}".`);
}

/** Accepts names only: ports do not affect which traffic is opened. */
function readHosts(value: string | undefined): readonly string[] {
  const hosts = (value ?? '').split(/[\s,]+/).filter((host) => host !== '');
  return hosts.map((host) => {
    const name = /^\[.*\]$|^[^:]*$/.test(host) ? host : host.replace(/:\d+$/, '');
    if (/^(?:\*\.)?[a-z0-9_.-]+$|^\[?[0-9a-f:.]+\]?$/i.test(name)) {
      return name.toLowerCase().replace(/^\[|\]$/g, '');
    }
    throw new AgentError(`AGENT_EXTRA_HOSTS must contain host names such as api.example.com, not "${host}".`);
  });
}

function readUpstreamCa(value: string | undefined): readonly string[] {
  if (value === undefined || value === '') return [];
  if (value.includes('-----BEGIN')) return [value];
  try {
    return [readFileSync(value, 'utf8')];
  } catch (error) {
    throw new AgentError(
      `AGENT_UPSTREAM_CA names ${value}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

/** `name`: the setting's name, for the error message. */
export function readProxy(name: string, value: string | undefined): string | null {
  if (value === undefined || value === '') return null;
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return value;
  throw new AgentError(`${name} must be a URL such as http://proxy.example:3128.`);
}

export function readPac(name: string, value: string | undefined): string | null {
  if (value === undefined || value === '') return null;
  if (/^https?:\/\//i.test(value) ? URL.canParse(value) : existsSync(value)) return value;
  throw new AgentError(`${name} must be an http URL or the path of an existing file, not "${value}".`);
}

function readVault(value: string | undefined): 'auto' | 'keychain' | 'file' {
  if (value === undefined || value === '') return 'auto';
  if (value === 'auto' || value === 'keychain' || value === 'file') return value;
  throw new AgentError(`AGENT_VAULT must be auto, keychain or file, not "${value}".`);
}
