import { hostname } from 'node:os';
import { createServiceClient, type ServiceOutcome } from '../../cloud-client/service-client.ts';
import { verifyConfig } from '../../cloud-client/verify-config.ts';
import { normalHost } from '../../inspect/match-hosts.ts';
import { isLoopback } from '../../upstream/dial.ts';
import { ensureRoot } from '../host/device-root.ts';
import { type AgentParts, companyProxyOf, folderWriteError, withCompanyProxy } from '../host/open-agent.ts';
import { platformName } from '../settings/agent-package.ts';
import { AgentError } from '../settings/read-settings.ts';
import type { Enrollment } from '../settings/state-files.ts';

export interface EnrollOptions {
  readonly server: string;
  readonly token: string;
  readonly name?: string;
  readonly upstreamProxy?: string;
  readonly upstreamPac?: string;
}

const DEADLINE_MS = 20_000;

/** Exchanges a token for a credential. On failure throws AgentError, and leaves nothing on this computer. */
export async function enroll(all: AgentParts, options: EnrollOptions): Promise<Enrollment> {
  const parts = withCompanyProxy(all, options);
  const { files, vault, settings } = parts;
  const server = readServer(options.server);
  const known = files.enrollment();
  if (known.kind === 'ok') {
    throw new AgentError(
      `This computer is already enrolled with ${known.enrollment.server}. To move it, unenroll it first.`,
    );
  }
  // Checked before the token is used up.
  const ready = await vault.state();
  if (ready.kind !== 'ok') throw new AgentError(`${ready.reason} The token was not used.`);
  const deviceName = (options.name ?? hostname()).slice(0, 255) || 'unnamed computer';

  const proxy = await parts.serviceProxy(server);
  const joining = createServiceClient({ url: server, apiKey: null, deadlineMs: DEADLINE_MS, proxy });
  const enrolled = await joining.enroll({
    token: options.token,
    device_name: deviceName,
    platform: platformName(settings.platform),
    coverage: 'proxy',
  });
  await joining.close();
  const joined = requireValue(enrolled);

  const enrollment: Enrollment = {
    server,
    deviceId: joined.device_id,
    organizationId: joined.organization_id,
    deviceName,
    accountName: joined.account_name,
    signingKey: joined.signing_key,
    enrolledAt: new Date().toISOString(),
    secretsIn: vault.kind,
    ...companyProxyOf(options),
  };
  try {
    const stored = await vault.write('device-credential', joined.api_key);
    if (stored.kind !== 'ok') throw new AgentError(stored.reason);
    const hosts = await fetchFirstConfig(parts, enrollment, joined.api_key);
    const root = await ensureRoot(files, vault, [...hosts, ...settings.extraHosts], Date.now());
    if (root.kind !== 'ok') throw new AgentError(root.reason);
    files.saveEnrollment(enrollment);
    return enrollment;
  } catch (error) {
    await vault.remove('device-credential');
    await vault.remove('issuer-key');
    files.removeAll();
    const why = error instanceof AgentError ? error : folderWriteError(files, error);
    const leaving = createServiceClient({
      url: server,
      apiKey: joined.api_key,
      deadlineMs: DEADLINE_MS,
      proxy,
    });
    const unenrolled = await leaving.unenroll();
    await leaving.close();
    const revoke =
      unenrolled.kind === 'ok' ? '' : `, and ask an administrator to revoke the device ${joined.device_id}`;
    throw new AgentError(`${why.message} The token is used up. Request a new one${revoke}.`);
  }
}

/** If it fails now it is fetched later; its hosts determine the name constraints of the root. */
async function fetchFirstConfig(
  parts: AgentParts,
  enrollment: Enrollment,
  apiKey: string,
): Promise<readonly string[]> {
  const client = createServiceClient({
    url: enrollment.server,
    apiKey,
    deadlineMs: DEADLINE_MS,
    proxy: await parts.serviceProxy(enrollment.server),
  });
  const received = await client.config(null);
  await client.close();
  // Imported late: rarely needed, and it loads the tables of all providers.
  if (received.kind !== 'ok' || received.value.text === null)
    return (await import('@csg/shared/providers')).AI_HOSTS;
  const check = verifyConfig(received.value.text, enrollment, null);
  if (check.kind !== 'ok') throw new AgentError(check.reason);
  const journal = parts.openJournal();
  journal.saveConfig({ text: received.value.text, etag: received.value.etag });
  journal.close();
  return check.config.hosts;
}

function requireValue<T>(outcome: ServiceOutcome<T>): T {
  if (outcome.kind === 'ok') return outcome.value;
  throw new AgentError(outcome.kind === 'refused' ? outcome.message : outcome.reason);
}

/**
 * Returns the address of a service without its trailing slash. Token, credential and signing key are sent over it, so
 * it must be https unless it is on this computer. Throws AgentError.
 */
export function readServer(address: string): string {
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) {
    const url = new URL(address);
    const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
    if (isPlain && url.protocol === 'http:' && !isLoopback(normalHost(url.hostname))) {
      throw new AgentError(
        `"${address}" is not encrypted, so others could read the token. Use https:// instead.`,
      );
    }
    if (isPlain) return url.href.replace(/\/$/, '');
  }
  throw new AgentError(
    `"${address}" is not the URL of a service. Enter a URL such as https://gateway.example.com.`,
  );
}
