import { companyPac, DIRECT_PAC } from '../../network/company-pac.ts';
import type { NetworkGuard } from '../../network/guard-network.ts';
import type { CompanySetting } from '../../network/system-proxy.ts';
import { isLoopback } from '../../upstream/dial.ts';
import { readPac } from '../../upstream/upstream-pac.ts';
import type { AgentSettings } from '../settings/read-settings.ts';
import { isOnlySocks } from './host-system.ts';

export type CompanyProxySettings = Pick<AgentSettings, 'upstreamPac' | 'upstreamProxy'>;

export interface CompanyProxySource {
  readonly network: Pick<NetworkGuard, 'company'>;
  /** Null: this system's programs do not go by it. */
  readonly env: Readonly<Record<string, string | undefined>> | null;
  /** A shell that was told to use our own proxy must not lead us to ourselves. */
  readonly ownPort: () => number;
  /** Where automatic discovery finds the file. */
  readonly wpad?: string;
}

const WPAD = 'http://wpad/wpad.dat';

/**
 * The company's proxy as this computer names it by itself, read before the agent's own setting: GSettings, registry or
 * network services; on Linux, where the desktop has none, the environment. Everything becomes one PAC file.
 */
export async function readCompanyProxy(source: CompanyProxySource): Promise<CompanyProxySettings> {
  const company = await source.network.company();
  const setting = company.kind === 'ok' ? company.value : null;
  if (setting !== null) return settingsOf(setting, source.wpad ?? WPAD);
  return source.env === null ? NONE : environmentProxy(source.env, source.ownPort());
}

const NONE: CompanyProxySettings = { upstreamPac: null, upstreamProxy: null };

async function settingsOf(setting: CompanySetting, wpad: string): Promise<CompanyProxySettings> {
  if (setting.kind === 'manual') {
    const { manual } = setting;
    if (isOnlySocks(manual)) return NONE;
    const named = manual.http ?? manual.https;
    const hasCredentials = manual.credentials !== undefined && named !== null;
    return {
      upstreamPac: asAddress(companyPac(manual, null)),
      upstreamProxy: hasCredentials ? `http://${manual.credentials}@${named}` : null,
    };
  }
  const isDiscovery = setting.kind === 'discovery';
  const text = await readPac(isDiscovery ? wpad : setting.address).catch(() => null);
  // Apps that find no file go direct.
  if (text === null) return isDiscovery ? NONE : { ...NONE, upstreamPac: asAddress(DIRECT_PAC) };
  return { ...NONE, upstreamPac: asAddress(text) };
}

/** As curl reads it; apps of the desktop do not, so a proxy that is away must not be in their way. */
function environmentProxy(
  env: Readonly<Record<string, string | undefined>>,
  ownPort: number,
): CompanyProxySettings {
  const setting = (name: string): string => env[name.toLowerCase()] || env[name] || '';
  const address = setting('HTTPS_PROXY') || setting('ALL_PROXY');
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (url === null || url.protocol !== 'http:') return NONE;
  if (isLoopback(url.hostname) && Number(url.port) === ownPort) return NONE;
  const bypass = setting('NO_PROXY')
    .split(/[\s,]+/)
    .filter((name) => name !== '')
    .flatMap((name) =>
      /[*/:]/.test(name) ? [name] : [name.replace(/^\./, ''), `*.${name.replace(/^\./, '')}`],
    );
  const proxy = `${url.hostname}:${url.port || '80'}`;
  const pac = companyPac({ https: proxy, http: proxy, socks: null, bypass }, 'DIRECT');
  return {
    upstreamPac: asAddress(pac),
    upstreamProxy: url.username === '' ? null : url.href,
  };
}

function asAddress(pac: string): string {
  return `data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(pac).toString('base64')}`;
}

export interface CompanyProxyWatch {
  /** What holds now, if it is another than what was last returned; otherwise null. */
  changed(): Promise<CompanyProxySettings | null>;
}

const LOOKS_PER_READ = 6;

/**
 * Reads again every sixth time it is asked, and at once if the networks of this computer are others. Without such a
 * change a difference has to be seen twice: a file server that does not respond once is no new network.
 */
export function watchCompanyProxy(
  read: () => Promise<CompanyProxySettings>,
  first: CompanyProxySettings,
  networks: () => string,
): CompanyProxyWatch {
  const keyOf = ({ upstreamPac, upstreamProxy }: CompanyProxySettings): string =>
    JSON.stringify([upstreamPac, upstreamProxy]);
  let held = keyOf(first);
  let seen = held;
  let known = networks();
  let looks = 0;
  return {
    async changed() {
      const isMoved = networks() !== known;
      if (!isMoved && seen === held && ++looks % LOOKS_PER_READ !== 0) return null;
      known = networks();
      const now = await read();
      const key = keyOf(now);
      const isSure = isMoved || key === seen;
      seen = key;
      if (key === held || !isSure) return null;
      held = key;
      return now;
    },
  };
}
