/** An organization of some hundred people: the amounts that pages have to list in a large company. */
import { createProject } from '../../apps/cloud/src/flows/create-project.ts';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import { addPerson } from './browser.ts';
import { type DashboardTestEnv, seedDashboard } from './dashboard-test-env.ts';
import type { TestGateway } from './gateway.ts';

const HOUR_MS = 3_600_000;
const PEOPLE = 60;
const DEVICES = 400;
const KEYS = 150;
const PROJECTS = 30;
const POLICIES = 60;

/**
 * The environment of `seedDashboard` with `events` events, and additional people, devices, keys, projects and policies.
 */
export async function seedVolume(gateway: TestGateway, events: number): Promise<DashboardTestEnv> {
  const testEnv = await seedDashboard(gateway, events);
  const { storage, account } = gateway;
  const { organizationId, accountId: userId } = account;
  for (let n = 0; n < PEOPLE; n++) {
    const person = await addPerson(gateway, { email: `person${n}@harbour.example` });
    await storage.users.update(person.userId, { name: `Person with a longer name ${n}` });
    await storage.members.add(organizationId, person.userId, 'member');
  }
  const projectIds: string[] = [];
  for (let n = 0; n < PROJECTS; n++) {
    const caller = {
      ...{ organizationId, userId, id: userId, actor: userId, projectId: null, deviceId: null },
      ...{ permissions: [], account: { id: userId, planName: 'enterprise', plan: { projects: null } } },
    } as unknown as Parameters<typeof createProject>[1];
    const name = `Department ${n} of the insurance`;
    projectIds.push((await createProject({ storage }, caller, { name })).id);
  }
  for (let n = 0; n < DEVICES; n++) {
    const device = await storage.devices.insert(organizationId, {
      projectId: projectIds[n % PROJECTS]!,
      name: `WORKSTATION-${String(n).padStart(4, '0')}`,
      platform: (['windows', 'macos', 'linux'] as const)[n % 3]!,
      userId: null,
      endUserLabel: `Desk ${n}`,
    });
    await storage.devices.recordHeartbeat(organizationId, device.id, {
      ...{ agentVersion: '1.4.2', proxyRestarts: 0, supervisorState: 'quiet' },
      atMs: Date.now() - (n % 9) * HOUR_MS,
    });
  }
  for (let n = 0; n < KEYS; n++) {
    await storage.keys.insert({
      ...{ organizationId, userId, deviceId: null, expiresAtMs: null, key: makeKey() },
      ...{
        name: `Service ${n} of a department`,
        projectId: projectIds[n % PROJECTS]!,
        permissions: ['proxy'],
      },
    });
  }
  const policies = Array.from({ length: POLICIES }, (_, n) => ({
    ...{
      name: `Card numbers, department ${n}`,
      description: null,
      action: 'block',
      priority: 2_000 + 10 * n,
    },
    ...{ threatTypes: ['pii_leak'], rules: { pii_types: ['credit_card'] } },
  }));
  await storage.policies.insertMany(
    organizationId,
    null,
    policies as unknown as Parameters<typeof storage.policies.insertMany>[2],
  );
  return testEnv;
}
