import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ElectronParts } from './electron-parts.ts';

/** Started by the system, the app shows no window by itself. */
export const HIDDEN = '--hidden';

export interface LoginItem {
  isOn(): boolean;
  set(on: boolean): void;
}

export interface LoginItemOptions {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Where desktop environments look for what to start; default: `~/.config`. */
  readonly configHome: string | undefined;
  /** The program: of an AppImage its file, not what it unpacks to. */
  readonly program: string;
}

/** Start at login: by Electron where it can, by the freedesktop autostart folder on Linux. */
export function createLoginItem(app: ElectronParts['app'], options: LoginItemOptions): LoginItem {
  if (options.platform !== 'linux') {
    return {
      isOn: () => app.getLoginItemSettings({ args: [HIDDEN] }).openAtLogin,
      set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args: [HIDDEN] }),
    };
  }
  const folder = path.join(options.configHome || path.join(options.home, '.config'), 'autostart');
  const file = path.join(folder, 'content-security-agent.desktop');
  return {
    isOn: () => existsSync(file),
    set(on) {
      if (!on) return rmSync(file, { force: true });
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, desktopEntry(options.program));
    },
  };
}

/** The quoting of the Desktop Entry Specification, "The Exec key". */
function desktopEntry(program: string): string {
  const quoted = `"${program
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Content Security Agent',
    `Exec=${quoted} ${HIDDEN}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}
