import { createServiceClient } from '../../cloud-client/service-client.ts';
import { verifyConfig } from '../../cloud-client/verify-config.ts';
import { isProxyListening } from '../../proxy/probe-proxy.ts';
import type { AgentStatus, Finding } from '../control/control-messages.ts';
import { readTrustedRoot } from '../host/device-root.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { requestedUpdate } from '../service/managed-update.ts';
import { AGENT_VERSION } from '../settings/agent-package.ts';
import type { Enrollment } from '../settings/state-files.ts';
import { administratorSentence } from './status-sentences.ts';

const DEADLINE_MS = 5_000;
const MAX_SKEW_MS = 5 * 60 * 1000;

/** Checks everything that protection needs. Changes nothing, and its findings contain no secrets. */
export async function diagnose(parts: AgentParts, status: AgentStatus): Promise<readonly Finding[]> {
  const known = parts.files.enrollment();
  const findings: Finding[] = [];
  if (known.kind === 'damaged') findings.push({ name: 'enrollment', state: 'fault', sentence: known.reason });
  if (known.kind === 'missing') {
    const sentence = 'This computer is not enrolled. Run "agent enroll --server URL --token-stdin".';
    findings.push({ name: 'enrollment', state: 'fault', sentence });
  }
  const credential = await parts.vault.read('device-credential');
  if (known.kind === 'ok') {
    const { enrollment } = known;
    const sentence = `Enrolled as "${enrollment.deviceName}" with ${enrollment.accountName} at ${enrollment.server}.`;
    findings.push({ name: 'enrollment', state: 'ok', sentence });
    findings.push(keychainFinding(parts, credential));
    findings.push(
      ...(await serviceFindings(parts, enrollment, credential.kind === 'ok' ? credential.secret : null)),
    );
    findings.push(configFinding(parts, enrollment));
    findings.push(...(await certificateFindings(parts)));
    findings.push(...(await agentFindings(status)));
  } else {
    const ready = await parts.vault.state();
    findings.push(
      ready.kind === 'ok'
        ? { name: 'keychain', state: 'ok', sentence: `Secrets would be stored in ${parts.vault.location}.` }
        : { name: 'keychain', state: 'fault', sentence: ready.reason },
    );
  }
  findings.push(await settingFinding(parts, status));
  return findings;
}

function keychainFinding(parts: AgentParts, read: Awaited<ReturnType<AgentParts['vault']['read']>>): Finding {
  if (read.kind === 'ok') {
    const state = parts.vault.kind === 'file' ? 'note' : 'ok';
    return { name: 'keychain', state, sentence: `The credential is in ${parts.vault.location}.` };
  }
  const sentence =
    read.kind === 'missing'
      ? 'The credential is not in the keychain. Unenroll this computer and enroll it again.'
      : read.reason;
  return { name: 'keychain', state: 'fault', sentence };
}

async function serviceFindings(
  parts: AgentParts,
  enrollment: Enrollment,
  apiKey: string | null,
): Promise<readonly Finding[]> {
  if (apiKey === null) return [];
  const client = createServiceClient({
    url: enrollment.server,
    apiKey,
    deadlineMs: DEADLINE_MS,
    proxy: await parts.serviceProxy(enrollment.server),
  });
  const outcome = await client.config(null);
  const managed = outcome.kind === 'ok' ? await client.managedPolicy() : null;
  await client.close();
  if (outcome.kind === 'no-answer') {
    const sentence = `${outcome.reason} Until it can be reached, this computer evaluates texts itself.`;
    return [{ name: 'service', state: 'fault', sentence }];
  }
  if (outcome.kind === 'refused') {
    const sentence = `The service rejects this device (${outcome.message}). Enroll it again.`;
    return [{ name: 'service', state: 'fault', sentence }];
  }
  const check = verifyConfig(outcome.value.text ?? '', enrollment, null);
  if (check.kind === 'refused') return [{ name: 'service', state: 'fault', sentence: check.reason }];
  const found: Finding[] = [
    { name: 'service', state: 'ok', sentence: `${enrollment.server} responds and knows this device.` },
  ];
  const demand = managed?.kind === 'ok' ? requestedUpdate(managed.value, AGENT_VERSION) : null;
  if (demand !== null) {
    const state = demand.isRequired ? 'fault' : 'note';
    found.push({ name: 'update', state, sentence: `${demand.sentence} Update it.` });
  }
  const skewMs = Math.abs(Date.now() - Date.parse(check.config.issued_at));
  if (skewMs > MAX_SKEW_MS) {
    const minutes = Math.round(skewMs / 60_000);
    const sentence = `The clock of this computer differs from that of the service by ${minutes} minutes. Correct it, or certificates fail.`;
    found.push({ name: 'clock', state: 'fault', sentence });
  }
  return found;
}

function configFinding(parts: AgentParts, enrollment: Enrollment): Finding {
  const name = 'configuration';
  try {
    const journal = parts.openJournal();
    const stored = journal.config();
    journal.close();
    if (stored === null)
      return { name, state: 'fault', sentence: 'The service has not sent a configuration yet.' };
    const check = verifyConfig(stored.text, enrollment, null);
    if (check.kind === 'refused') return { name, state: 'fault', sentence: check.reason };
    const { policy_version, issued_at, mode } = check.config;
    return { name, state: 'ok', sentence: `Version ${policy_version} of ${issued_at}, mode "${mode}".` };
  } catch (error) {
    return { name, state: 'fault', sentence: (error as Error).message };
  }
}

async function certificateFindings({ files, stores }: AgentParts): Promise<readonly Finding[]> {
  const root = readTrustedRoot(files);
  if (root === null) {
    const sentence = 'This computer has no certificate yet. The agent creates it when it starts.';
    return [{ name: 'certificate', state: 'fault', sentence }];
  }
  const found: Finding[] = [];
  for (const store of stores) {
    const state = await store.state(root);
    if (state.kind === 'unavailable') {
      found.push({ name: `certificate (${store.name})`, state: 'note', sentence: state.reason });
    } else if (state.kind === 'installed') {
      found.push({
        name: `certificate (${store.name})`,
        state: 'ok',
        sentence: 'The certificate is trusted.',
      });
    } else {
      const sentence = 'The certificate is not trusted there. Run "agent ca install" as an administrator.';
      found.push({
        name: `certificate (${store.name})`,
        state: store.name === 'system' ? 'fault' : 'note',
        sentence,
      });
    }
  }
  return found;
}

async function agentFindings(status: AgentStatus): Promise<readonly Finding[]> {
  if (!status.running) {
    const sentence = status.problem ?? 'The agent is not running. Start it with "agent run".';
    return [{ name: 'agent', state: 'fault', sentence }];
  }
  const found: Finding[] = [];
  const { problem, proxy_port: port } = status;
  if (problem !== null || status.supervisor_state !== 'quiet' || port === null) {
    found.push({ name: 'agent', state: 'fault', sentence: problem ?? 'The proxy is starting.' });
  } else if (await isProxyListening(port, DEADLINE_MS)) {
    found.push({ name: 'agent', state: 'ok', sentence: `The proxy works on 127.0.0.1:${port}.` });
  } else {
    const sentence = `The proxy on 127.0.0.1:${port} cannot be reached. Check whether a firewall blocks loopback.`;
    found.push({ name: 'agent', state: 'fault', sentence });
  }
  if (status.needs_administrator.length > 0) {
    const sentence = administratorSentence(status.needs_administrator);
    found.push({ name: 'certificate', state: 'fault', sentence });
  }
  for (const sentence of status.unread) found.push({ name: 'inspection', state: 'fault', sentence });
  if (status.events_waiting > 0) {
    const sentence = `Unsent events: ${status.events_waiting}.`;
    found.push({ name: 'journal', state: 'note', sentence });
  }
  if (status.events_dropped > 0) {
    const sentence = `Events discarded because too many were unsent: ${status.events_dropped}.`;
    found.push({ name: 'journal', state: 'fault', sentence });
  }
  return found;
}

async function settingFinding({ settings, network }: AgentParts, status: AgentStatus): Promise<Finding> {
  const name = 'proxy setting';
  if (!settings.changesSystemProxy) {
    return {
      name,
      state: 'note',
      sentence: 'The agent does not change the proxy setting (AGENT_SYSTEM_PROXY=off).',
    };
  }
  const isSet = await network.isProtected();
  if (isSet && !status.running) {
    const sentence =
      'The proxy setting points to the agent, which is not running. Run "agent run" or "agent unenroll".';
    return { name, state: 'fault', sentence };
  }
  if (isSet) return { name, state: 'ok', sentence: 'Apps on this computer use the agent for AI hosts.' };
  const isWorking = status.running && status.proxy_port !== null;
  return {
    name,
    state: status.running ? 'fault' : 'note',
    sentence: isWorking
      ? 'Apps on this computer do not use the agent. Only programs started with "agent env" are protected.'
      : 'Apps on this computer do not use the agent, and its proxy is not working, so nothing is protected.',
  };
}
