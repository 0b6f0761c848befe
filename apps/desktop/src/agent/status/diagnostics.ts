import { writeFileSync } from 'node:fs';
import { release, type } from 'node:os';
import { type ControlOptions, connectControl } from '../control/control-client.ts';
import { readTrustedRoot } from '../host/device-root.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { AGENT_VERSION } from '../settings/agent-package.ts';
import { AgentError } from '../settings/read-settings.ts';
import { diagnose } from './doctor.ts';
import { readStatus } from './read-status.ts';

/** Collects everything that helps support find a problem. Contains no texts, credentials, keys or passwords. */
async function readDiagnostics(parts: AgentParts, nowMs: number, options: ControlOptions): Promise<object> {
  const { settings, files } = parts;
  const known = files.enrollment();
  const root = readTrustedRoot(files);
  const status = await readStatus(parts, options);
  return {
    made_at: new Date(nowMs).toISOString(),
    agent_version: AGENT_VERSION,
    node_version: process.version,
    system: `${type()} ${release()} ${process.arch}`,
    settings: {
      state_dir: settings.stateDir,
      proxy_port: settings.proxyPort,
      system_proxy: settings.changesSystemProxy,
      extra_hosts: settings.extraHosts,
      upstream_ca_certificates: settings.upstreamCa.length,
      upstream_pac: settings.upstreamPac === null ? null : 'set',
      upstream_proxy: withoutPassword(settings.upstreamProxy),
      vault: settings.vault,
    },
    enrollment: known.kind === 'ok' ? { ...known.enrollment, signingKey: undefined } : known,
    certificate: root === null ? null : { sha1: root.sha1, name: root.commonName },
    status,
    findings: await diagnose(parts, status),
    recent_decisions: status.running ? await recentDecisions(parts, options) : [],
  };
}

/** Writes a new file that only its owner can read. Throws AgentError if that fails. */
export async function writeDiagnostics(
  parts: AgentParts,
  file: string,
  nowMs: number,
  options: ControlOptions,
): Promise<void> {
  const text = `${JSON.stringify(await readDiagnostics(parts, nowMs, options), null, 2)}\n`;
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new AgentError(
      code === 'EEXIST'
        ? `${file} already exists. Name another file with --out.`
        : `${file} cannot be written (${code}).`,
    );
  }
}

function withoutPassword(address: string | null): string | null {
  if (address === null) return null;
  const url = new URL(address);
  return `${url.protocol}//${url.username === '' ? '' : '…@'}${url.host}`;
}

async function recentDecisions({ files }: AgentParts, options: ControlOptions): Promise<readonly unknown[]> {
  const agent = await connectControl(files.control, options);
  if (agent === null) return [];
  try {
    return await agent.call('recent');
  } catch {
    return [];
  } finally {
    agent.close();
  }
}
