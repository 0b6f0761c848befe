/**
 * Programs of the machine that the tests use: servers, a browser, parts of a desktop, clients that have to trust a
 * certificate. On Debian as root they are installed; elsewhere the command is printed and the tests that need them are
 * skipped with the reason.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, globSync } from 'node:fs';
import path from 'node:path';

export interface SystemTool {
  readonly name: string;
  /** One Debian package, or several. */
  readonly debianPackage: string;
  /** Program names, searched on the PATH and then in `folders`. */
  readonly programs: readonly string[];
  /** Globs of folders that may not be on the PATH. */
  readonly folders: readonly string[];
  /** Files that it also consists of, where the package installs them. */
  readonly files?: readonly string[];
  /** Part of a Linux desktop: not needed on other systems. */
  readonly isLinuxOnly?: true;
}

export const SYSTEM_TOOLS = {
  postgres: {
    name: 'PostgreSQL',
    debianPackage: 'postgresql',
    programs: ['postgres'],
    folders: ['/usr/lib/postgresql/*/bin', '/opt/homebrew/opt/postgresql@*/bin'],
  },
  compiler: { name: 'a C compiler', debianPackage: 'gcc libc6-dev', programs: ['cc', 'gcc'], folders: [] },
  openssl: { name: 'OpenSSL', debianPackage: 'openssl', programs: ['openssl'], folders: [] },
  redis: { name: 'Redis', debianPackage: 'redis-server', programs: ['redis-server'], folders: [] },
  browser: {
    name: 'Chromium',
    debianPackage: 'chromium',
    programs: ['chromium', 'chromium-browser', 'google-chrome'],
    folders: ['/Applications/Google Chrome.app/Contents/MacOS'],
  },
  /** The headless build of the same engine takes a quarter less CPU time: for tests of pages only. */
  pageBrowser: {
    name: 'Chromium without windows',
    debianPackage: 'chromium-headless-shell',
    programs: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    folders: ['/Applications/Google Chrome.app/Contents/MacOS'],
  },
  sessionBus: {
    name: 'a session bus',
    debianPackage: 'dbus',
    programs: ['dbus-run-session'],
    folders: [],
    isLinuxOnly: true,
  },
  gsettings: {
    name: 'gsettings',
    debianPackage: 'libglib2.0-bin gsettings-desktop-schemas dconf-gsettings-backend',
    programs: ['gsettings'],
    folders: [],
    isLinuxOnly: true,
  },
  keyring: {
    name: 'gnome-keyring',
    debianPackage: 'gnome-keyring',
    programs: ['gnome-keyring-daemon'],
    folders: [],
    isLinuxOnly: true,
  },
  certutil: {
    name: "NSS's certutil",
    debianPackage: 'libnss3-tools',
    programs: ['certutil'],
    folders: [],
    isLinuxOnly: true,
  },
  nginx: { name: 'nginx', debianPackage: 'nginx-light', programs: ['nginx'], folders: ['/usr/sbin'] },
  java: { name: 'Java', debianPackage: 'default-jre-headless', programs: ['keytool'], folders: [] },
  python: { name: 'Python', debianPackage: 'python3', programs: ['python3'], folders: [] },
  pythonOffice: {
    name: 'python-docx and openpyxl',
    debianPackage: 'python3-docx python3-openpyxl',
    programs: ['python3'],
    folders: ['/usr/bin'],
    files: ['docx', 'openpyxl'].map((name) => `/usr/lib/python3/dist-packages/${name}/__init__.py`),
    isLinuxOnly: true,
  },
  curl: { name: 'curl', debianPackage: 'curl', programs: ['curl'], folders: [] },
  git: { name: 'git', debianPackage: 'git', programs: ['git'], folders: [] },
  systemd: {
    name: 'systemd-analyze',
    debianPackage: 'systemd',
    programs: ['systemd-analyze'],
    folders: [],
    isLinuxOnly: true,
  },
  systemRoots: {
    name: 'update-ca-certificates',
    debianPackage: 'ca-certificates',
    programs: ['update-ca-certificates'],
    folders: ['/usr/sbin'],
    isLinuxOnly: true,
  },
  addresses: {
    name: 'ip',
    debianPackage: 'iproute2',
    programs: ['ip'],
    folders: ['/usr/sbin', '/sbin'],
    isLinuxOnly: true,
  },
  connections: { name: 'lsof', debianPackage: 'lsof', programs: ['lsof'], folders: ['/usr/sbin'] },
  processes: { name: 'ps', debianPackage: 'procps', programs: ['ps'], folders: [] },
} as const satisfies Record<string, SystemTool>;

export type SystemToolName = keyof typeof SYSTEM_TOOLS;

/** Returns the tool's program as an absolute path with links unresolved; undefined if it is not installed. */
export function findTool(name: SystemToolName, searchPath = process.env['PATH'] ?? ''): string | undefined {
  const tool: SystemTool = SYSTEM_TOOLS[name];
  if (tool.files?.some((file) => !existsSync(file))) return undefined;
  const folders = [
    ...searchPath.split(path.delimiter).filter(Boolean),
    ...globSync(tool.folders).sort().reverse(),
  ];
  for (const folder of folders) {
    for (const program of tool.programs) {
      const file = path.join(folder, program);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

/** Returns why tests that use these tools are skipped; false if all of them are installed. */
export function missingTool(names: readonly SystemToolName[], searchPath?: string): string | false {
  const missing = names
    .filter((name) => findTool(name, searchPath) === undefined)
    .map((name) => SYSTEM_TOOLS[name]);
  return (
    missing.length > 0 &&
    `not installed: ${missing.map((tool) => `${tool.name} (${tool.debianPackage})`).join(', ')}`
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** One command that installs these tools on Debian. */
export function installCommand(tools: readonly SystemTool[]): string {
  return `apt-get install -y --no-install-recommends ${tools.map((tool) => tool.debianPackage).join(' ')}`;
}

/**
 * Installs what is missing if that is possible without a prompt.
 * @returns the tools still missing, empty when all are there
 */
export function ensureSystemTools(log: (line: string) => void): readonly SystemTool[] {
  const missing = listMissing();
  if (missing.length === 0) return [];
  const names = missing.map((tool) => tool.name).join(', ');
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    log(`Not installed: ${names}. Their tests are skipped. On Debian: sudo ${installCommand(missing)}`);
    return missing;
  }
  log(`Installing ${names} with apt-get, for the tests …`);
  for (const command of ['apt-get update', installCommand(missing)]) {
    const { status, output } = runQuietly(command);
    if (status === 0) continue;
    log(`"${command}" failed. Its output:\n${output.trimEnd().split('\n').slice(-15).join('\n')}`);
    break;
  }
  const left = listMissing();
  if (left.length > 0)
    log(`Still missing: ${left.map((tool) => tool.name).join(', ')}. Their tests are skipped.`);
  return left;
}

function listMissing(): SystemTool[] {
  return (Object.keys(SYSTEM_TOOLS) as SystemToolName[])
    .filter((name) => findTool(name) === undefined)
    .map((name): SystemTool => SYSTEM_TOOLS[name])
    .filter((tool) => tool.isLinuxOnly !== true || process.platform === 'linux');
}

function runQuietly(command: string): { status: number | null; output: string } {
  const [program = '', ...args] = command.split(' ');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const done = spawnSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return { status: done.status, output: done.stdout + done.stderr };
}
