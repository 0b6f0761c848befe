import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Journal, openJournal } from '../../journal/open-journal.ts';
import type { NetworkGuard } from '../../network/guard-network.ts';
import { createRunCommand } from '../../trust/run-command.ts';
import type { RunCommand, TrustStore } from '../../trust/trust-store.ts';
import { openVault } from '../../vault/open-vault.ts';
import type { Vault, VaultKind } from '../../vault/vault.ts';
import { AgentError, type AgentSettings } from '../settings/read-settings.ts';
import { type Enrollment, lastPort, type StateFiles, stateFiles } from '../settings/state-files.ts';
import { type CompanyProxySettings, readCompanyProxy } from './company-proxy.ts';
import { findServiceProxy } from './find-fallback-proxy.ts';
import { networkGuardOf, trustStoresOf } from './host-system.ts';

/** The parts that every command uses. */
export interface AgentParts {
  readonly settings: AgentSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: StateFiles;
  readonly vault: Vault;
  readonly run: RunCommand;
  readonly stores: readonly TrustStore[];
  readonly network: NetworkGuard;
  /** Returns the current company proxy: the configured one, otherwise that of this computer. */
  companyProxy(): Promise<CompanyProxySettings>;
  /** Returns the proxy for connections to the service; null: direct. */
  serviceProxy(server: string): Promise<string | null>;
  /** Throws AgentError if it cannot be opened. Every caller closes its own. */
  openJournal(): Journal;
}

/** Maximum of stored decisions while the service is unreachable: weeks of offline work, about ten megabytes. */
const MAX_EVENTS = 20_000;

export async function openAgentParts(
  settings: AgentSettings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<AgentParts> {
  const run = createRunCommand(env);
  const files = stateFiles(settings.stateDir);
  const hostSystem = { platform: settings.platform, home: settings.home, run };
  const known = files.enrollment();
  const network = networkGuardOf(hostSystem, files.restore);
  const source = {
    network,
    env: settings.platform === 'linux' ? env : null,
    ownPort: () => settings.proxyPort || lastPort(files),
  };
  const parts: AgentParts = {
    settings,
    env,
    files,
    run,
    vault: await openVault({
      kind: settings.vault === 'auto' ? (vaultOf(files) ?? 'auto') : settings.vault,
      platform: settings.platform,
      stateDir: files.dir,
      run,
      hasBus: hasSessionBus(env),
    }),
    stores: trustStoresOf(hostSystem),
    network,
    ...waysOut(settings, () => readCompanyProxy(source)),
    openJournal() {
      try {
        return openJournal({ file: files.journal, maxEvents: MAX_EVENTS, nowMs: Date.now() });
      } catch (error) {
        throw folderWriteError(files, error);
      }
    },
  };
  return known.kind === 'ok' ? withCompanyProxy(parts, known.enrollment) : parts;
}

type CompanyProxy = Pick<Enrollment, 'upstreamProxy' | 'upstreamPac'>;

export function companyProxyOf({ upstreamProxy, upstreamPac }: CompanyProxy): CompanyProxy {
  return {
    ...(upstreamProxy !== undefined && { upstreamProxy }),
    ...(upstreamPac !== undefined && { upstreamPac }),
  };
}

/** Uses the company's proxy of the managed installation, unless the environment names one. */
export function withCompanyProxy(parts: AgentParts, company: CompanyProxy): AgentParts {
  const { settings } = parts;
  if (settings.upstreamProxy !== null || settings.upstreamPac !== null) return parts;
  const own = { upstreamProxy: company.upstreamProxy ?? null, upstreamPac: company.upstreamPac ?? null };
  if (own.upstreamProxy === null && own.upstreamPac === null) return parts;
  return { ...parts, settings: { ...settings, ...own }, ...waysOut(own, async () => own) };
}

function waysOut(
  configured: CompanyProxySettings,
  readOfComputer: () => Promise<CompanyProxySettings>,
): Pick<AgentParts, 'companyProxy' | 'serviceProxy'> {
  const { upstreamProxy, upstreamPac } = configured;
  const companyProxy = async (): Promise<CompanyProxySettings> =>
    upstreamProxy === null && upstreamPac === null ? readOfComputer() : { upstreamProxy, upstreamPac };
  return {
    companyProxy,
    serviceProxy: (server) => findServiceProxy(companyProxy, server),
  };
}

/** For example a full disk, or a folder of another user. */
export function folderWriteError({ dir }: Pick<StateFiles, 'dir'>, error: unknown): AgentError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new AgentError(
    `The folder ${dir} of the agent cannot be written (${code}). Check its permissions and free space.`,
  );
}

/** Secrets stay where the enrollment put them: a session without a keychain must not consider them lost. */
function vaultOf(files: StateFiles): VaultKind | undefined {
  const known = files.enrollment();
  return known.kind === 'ok' ? known.enrollment.secretsIn : undefined;
}

function hasSessionBus(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env['DBUS_SESSION_BUS_ADDRESS']) return true;
  const folder = env['XDG_RUNTIME_DIR'];
  return folder !== undefined && folder !== '' && existsSync(path.join(folder, 'bus'));
}
