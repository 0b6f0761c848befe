import type { Storage } from '../../../apps/cloud/src/storage/storage.ts';

/** Sets the project's webhook, and creates a token to enroll one device. */
export async function seedProject(storage: Storage, webhookUrl: string): Promise<string> {
  const [organizationId] = await storage.audit.listOrganizations();
  const [project] = await storage.projects.list(organizationId as string);
  if (organizationId === undefined || project === undefined) throw new Error('The first start made nothing.');
  await storage.endpoints.put(organizationId, 'webhook', project.id, { url: webhookUrl, isEnabled: true });
  const { token } = await storage.enrollments.create(organizationId, { projectId: project.id, isBulk: true });
  return token;
}

/** Returns the credential of a new device. */
export async function enroll(address: string, token: string): Promise<string> {
  const device = { token, device_name: 'crash', platform: 'linux', coverage: 'proxy' };
  const response = await fetch(`${address}/api/v1/enroll`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(device),
  });
  if (!response.ok) throw new Error(`The device was not enrolled: ${await response.text()}`);
  return ((await response.json()) as { api_key: string }).api_key;
}
