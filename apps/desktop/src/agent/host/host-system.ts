import { existsSync } from 'node:fs';
import path from 'node:path';
import { createGsettingsProxy } from '../../network/gsettings-proxy.ts';
import { createNetworkGuard, type NetworkGuard } from '../../network/guard-network.ts';
import { createNetworksetupProxy } from '../../network/networksetup-proxy.ts';
import { PAC_MARK } from '../../network/pac-mark.ts';
import { openRestoreJournal } from '../../network/restore-journal.ts';
import type { ManualProxy, SystemProxy } from '../../network/system-proxy.ts';
import { createWininetProxy } from '../../network/wininet-proxy.ts';
import { createFirefoxStore } from '../../trust/firefox-store.ts';
import { createJavaStore } from '../../trust/java-store.ts';
import { createLinuxSystemStore, DEBIAN_PATHS, FEDORA_PATHS } from '../../trust/linux-system-store.ts';
import { createMacosSystemStore } from '../../trust/macos-system-store.ts';
import { createNssStore } from '../../trust/nss-store.ts';
import type { RunCommand, TrustStore } from '../../trust/trust-store.ts';
import { createWindowsSystemStore } from '../../trust/windows-system-store.ts';

export interface HostSystem {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly run: RunCommand;
}

const FIREFOX: Readonly<Partial<Record<NodeJS.Platform, readonly [folder: string, program: string]>>> = {
  linux: ['/etc/firefox/policies', '/usr/bin/firefox'],
  win32: ['C:\\Program Files\\Mozilla Firefox\\distribution', 'C:\\Program Files\\Mozilla Firefox'],
};

/** Returns every store of trusted roots on this computer. */
export function trustStoresOf({ platform, home, run }: HostSystem): readonly TrustStore[] {
  const java = createJavaStore(run, null);
  // A file in Firefox's bundle would break its signature: on macOS it follows the system, from version 120 on.
  if (platform === 'darwin') return [createMacosSystemStore(run), java];
  const [folder, program] = FIREFOX[platform] ?? FIREFOX.linux ?? ['', ''];
  const firefox = createFirefoxStore(folder, () => existsSync(program));
  if (platform === 'win32') return [createWindowsSystemStore(run), firefox, java];
  const paths = existsSync(path.dirname(FEDORA_PATHS.anchors)) ? FEDORA_PATHS : DEBIAN_PATHS;
  return [createLinuxSystemStore(run, paths), createNssStore(run, home), firefox, java];
}

export function networkGuardOf({ platform, run }: HostSystem, restoreFile: string): NetworkGuard {
  return createNetworkGuard(systemProxyOf(platform, run), openRestoreJournal(restoreFile));
}

const LEFT_ALONE =
  'which was not changed. Set it as AGENT_UPSTREAM_PROXY or AGENT_UPSTREAM_PAC, so that the agent uses it.';

/**
 * Returns why the computer's proxy setting must not be replaced; null: it may be. A company's proxy is the only way out
 * of its network, so apps that bypass it would reach nothing. A setting found by discovery has been read before.
 */
export async function existingProxy({ platform, run }: HostSystem): Promise<string | null> {
  const adapter = systemProxyOf(platform, run);
  const now = await adapter.read();
  if (now.kind === 'failed') return now.reason;
  if (adapter.pacOf(now.value)?.includes(PAC_MARK)) return null;
  const company = await adapter.readCompany(now.value);
  if (company.kind === 'failed') return company.reason;
  if (company.value === null || company.value.kind === 'discovery') return null;
  const isSocks = company.value.kind === 'manual' && isOnlySocks(company.value.manual);
  return isSocks
    ? 'This computer uses a SOCKS proxy, which the agent does not support, so the proxy setting was not changed. Set an HTTP proxy in AGENT_UPSTREAM_PROXY.'
    : `This computer has a proxy setting of its own, ${LEFT_ALONE}`;
}

export function isOnlySocks({ https, socks }: ManualProxy): boolean {
  return https === null && socks !== null;
}

export function systemProxyName(platform: NodeJS.Platform): SystemProxy['name'] {
  if (platform === 'darwin') return 'networksetup';
  return platform === 'win32' ? 'wininet' : 'gsettings';
}

function systemProxyOf(platform: NodeJS.Platform, run: RunCommand): SystemProxy {
  if (platform === 'darwin') return createNetworksetupProxy(run);
  return platform === 'win32' ? createWininetProxy(run) : createGsettingsProxy(run);
}
