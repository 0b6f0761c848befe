import { fileURLToPath } from 'node:url';
import { type FallbackProxy, makePac, pacAddress, pacDataUrl } from '../../network/make-pac.ts';
import { maintainWatchdog } from '../../supervisor/maintain-watchdog.ts';
import { findFallbackProxy } from '../host/find-fallback-proxy.ts';
import { systemProxyName } from '../host/host-system.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { verifyTrust } from '../host/verify-trust.ts';

/** The proxy and the hosts whose traffic goes through it. */
export interface ProxyTarget {
  readonly port: number;
  readonly hosts: readonly string[];
  readonly bypassHosts: readonly string[];
  readonly failClosed: boolean;
}

export interface SystemSettingDeps {
  readonly parts: Pick<AgentParts, 'settings' | 'env' | 'files' | 'run' | 'network'>;
  /** Our own proxy returns it to a probe. */
  readonly probeToken: string;
  /** Passes the proxy the PAC file that it serves. */
  readonly servePac: (pac: string) => void;
}

/** The proxy setting of this computer, if it points to our proxy. */
export interface SystemSetting {
  /** Directs apps to the proxy, if programs of this computer trust it. Resolves to why not, or null. */
  apply(target: ProxyTarget): Promise<string | null>;
  /** Resolves to why the setting could not be restored, or null. The setting of a policy that fails closed stays. */
  releaseUnlessClosed(): Promise<string | null>;
  /** Restores the setting unconditionally: the policy no longer applies. */
  release(): Promise<string | null>;
  /** True if AI hosts are unreachable without the proxy. */
  isClosed(): boolean;
  state(): 'on' | 'off' | 'not_set';
  /** True if apps were left alone because this computer does not trust the certificate. */
  needsTrust(): boolean;
  /** Called once everything is restored. */
  done(): void;
}

const UNTRUSTED =
  'This computer does not trust the certificate of the agent, so the proxy setting was not changed. Run "agent ca install".';

export function createSystemSetting({ parts, probeToken, servePac }: SystemSettingDeps): SystemSetting {
  const { settings, network, run } = parts;
  const unset = settings.changesSystemProxy ? 'not_set' : 'off';
  let state: 'on' | 'off' | 'not_set' = unset;
  let needsTrust = false;
  let isClosed = false;
  const watchdog = maintainWatchdog({
    scriptPath: fileURLToPath(new URL('../../supervisor/restore-watchdog.ts', import.meta.url)),
    work: [systemProxyName(settings.platform), parts.files.restore],
    env: parts.env,
    isNeeded: () => state === 'on',
  });

  /** Makes the proxy serve a new PAC file, and returns its address. */
  function serve({ port, hosts, bypassHosts, failClosed }: ProxyTarget, otherwise: FallbackProxy): string {
    const pac = makePac({ port, hosts, bypassHosts, failClosed, otherwise });
    servePac(pac);
    return failClosed ? pacDataUrl(pac) : pacAddress(pac, port);
  }

  /** Resolves to null if programs of this computer accept the proxy's certificate. */
  async function reasonAgainst(target: ProxyTarget): Promise<string | null> {
    const untrusted = await verifyTrust(run, { port: target.port, token: probeToken });
    needsTrust = untrusted !== null;
    return needsTrust ? UNTRUSTED : null;
  }

  async function enable(target: ProxyTarget): Promise<string | null> {
    const against = await reasonAgainst(target);
    const fallback = against === null ? await findFallbackProxy(settings, { ...settings, run }) : null;
    if (fallback?.kind === 'found') {
      const url = serve(target, fallback.otherwise);
      watchdog.begin();
      const outcome = await network.protect(url);
      return outcome.kind === 'failed' ? outcome.reason : null;
    }
    // A setting may still be there from an earlier working state.
    await (target.failClosed ? network.releaseUnlessClosed() : network.release());
    return against ?? fallback?.reason ?? null;
  }

  return {
    async apply(target) {
      if (!settings.changesSystemProxy) {
        serve(target, 'DIRECT');
        return null;
      }
      const problem = await enable(target);
      state = problem === null ? 'on' : 'not_set';
      isClosed = target.failClosed && (await network.isProtected());
      return problem;
    },
    async releaseUnlessClosed() {
      if (!settings.changesSystemProxy) return null;
      const outcome = await network.releaseUnlessClosed();
      state = 'not_set';
      isClosed = outcome.kind === 'ok' && outcome.value.isKept;
      return outcome.kind === 'failed' ? outcome.reason : null;
    },
    async release() {
      if (!settings.changesSystemProxy) return null;
      const outcome = await network.release();
      state = 'not_set';
      isClosed = false;
      return outcome.kind === 'failed' ? outcome.reason : null;
    },
    isClosed: () => isClosed,
    state: () => state,
    needsTrust: () => needsTrust,
    done() {
      state = unset;
      watchdog.done();
    },
  };
}
