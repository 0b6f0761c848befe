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
  /** Null: programs of this system ignore the environment. */
  readonly env: Readonly<Record<string, string | undefined>> | null;
  /** A shell configured for our own proxy must not make us use ourselves as upstream. */
  readonly ownPort: () => number;
  /** The address that automatic discovery uses for the file. */
  readonly wpad?: string;
}

const WPAD = 'http://wpad/wpad.dat';

/**
 * Reads the company's proxy from this computer's settings, before the agent sets its own: GSettings, registry or
 * network services; on Linux without a desktop setting, the environment. Every result becomes one PAC file.
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
  // Apps that find no file connect directly.
  if (text === null) return isDiscovery ? NONE : { ...NONE, upstreamPac: asAddress(DIRECT_PAC) };
  return { ...NONE, upstreamPac: asAddress(text) };
}

/** Reads the environment as curl does. Desktop apps ignore it, so a proxy that is down must not block them. */
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
  /** Resolves to the current setting if it differs from the last result; otherwise null. */
  changed(): Promise<CompanyProxySettings | null>;
}

const LOOKS_PER_READ = 6;

/**
 * Reads the setting on every sixth call, and immediately if the networks of this computer changed. Without a network
 * change, a difference must be seen twice: a file server that fails once does not mean another network.
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
