import { createServiceClient, type ServiceClient } from '../../cloud-client/service-client.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { AgentError } from '../settings/read-settings.ts';

const DEADLINE_MS = 10_000;

/** Provides one command with this device's service client. Throws AgentError without an enrollment or credential. */
export async function withService<T>(
  { files, vault, serviceProxy }: Pick<AgentParts, 'files' | 'vault' | 'serviceProxy'>,
  work: (client: ServiceClient) => Promise<T>,
): Promise<T> {
  const known = files.enrollment();
  if (known.kind === 'damaged') throw new AgentError(known.reason);
  if (known.kind === 'missing') {
    throw new AgentError(
      'This computer is not enrolled. Run "agent enroll --server URL --token-stdin" first.',
    );
  }
  const credential = await vault.read('device-credential');
  if (credential.kind === 'missing') {
    throw new AgentError(
      'The credential of this device is missing. Unenroll this computer and enroll it again.',
    );
  }
  if (credential.kind !== 'ok') throw new AgentError(credential.reason);
  const { server } = known.enrollment;
  const client = createServiceClient({
    url: server,
    apiKey: credential.secret,
    deadlineMs: DEADLINE_MS,
    proxy: await serviceProxy(server),
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
