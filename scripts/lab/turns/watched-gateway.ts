/** A gateway in a thread of its own, whose turns of the event loop are measured. */
import { once } from 'node:events';
import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { CSRF_HEADER, type ExplicitSettings } from '@csg/shared/contract';
import { addAccount, type TestAccount } from '../../../test/support/accounts.ts';
import { signInAs } from '../../../test/support/browser.ts';
import { PROVIDER_KEY } from '../../../test/support/clients.ts';
import { startGateway } from '../../../test/support/gateway.ts';
import { referenceMs, type Turn, threadCpuMs, watchTurns } from '../../../test/support/watch-turns.ts';
import { type Period, watchCollections } from './collections.ts';
import type { Access } from './heavy-client.ts';
import { profileTurns } from './profile-turns.ts';

export interface WatchedOptions {
  readonly providerUrl: string;
  readonly env: Readonly<Record<string, string>>;
  /** An organization each, with one project. */
  readonly projects: Readonly<Record<string, WatchedProject>>;
}

export interface WatchedProject {
  readonly settings?: ExplicitSettings;
  /** The address of its policy endpoint. */
  readonly endpoint?: string;
  readonly patterns?: readonly string[];
}

export interface LongestTurn extends Turn {
  /** What the turn was spent on, if profiling was on. */
  readonly spentOn: string;
}

export interface WatchedGateway {
  readonly address: string;
  /** By project. */
  readonly keys: Readonly<Record<string, string>>;
  /** For the routes that take no key of a project: those of the dashboard, of devices and of directories. */
  readonly access: Omit<Access, 'key'>;
  /** The longest turn since the last call. */
  longestTurn(): Promise<LongestTurn>;
  /** Records stacks until the next `longestTurn`. */
  profile(): Promise<void>;
  /** When its thread collected garbage since the last call, in milliseconds since 1970. */
  collections(): Promise<readonly Period[]>;
  /** CPU time of its thread so far. */
  cpuMs(): Promise<number>;
  /** The speed of its thread now. */
  referenceMs(): Promise<number>;
  close(): Promise<void>;
}

type Question = 'longest' | 'profile' | 'collections' | 'cpu' | 'reference' | 'close';

export async function startWatchedGateway(options: WatchedOptions): Promise<WatchedGateway> {
  const worker = new Worker(new URL(import.meta.url), { workerData: options });
  const ask = async <T>(question: Question | null): Promise<T> => {
    const answer = once(worker, 'message');
    if (question !== null) worker.postMessage(question);
    return (await answer)[0] as T;
  };
  const open = await ask<Pick<WatchedGateway, 'address' | 'keys' | 'access'>>(null);
  return {
    ...open,
    longestTurn: () => ask('longest'),
    profile: () => ask('profile'),
    collections: () => ask('collections'),
    cpuMs: () => ask('cpu'),
    referenceMs: () => ask('reference'),
    async close() {
      await ask('close');
      await worker.terminate();
    },
  };
}

async function serve(port: MessagePort, { providerUrl, env, projects }: WatchedOptions): Promise<void> {
  const gateway = await startGateway({ providerUrl, env: { ...env } });
  const keys: Record<string, string> = {};
  const accounts: TestAccount[] = [];
  for (const [name, project] of Object.entries(projects)) keys[name] = await addProject(project);
  const access = await accessOf();
  const watch = watchTurns();
  const collector = watchCollections();
  let profile: ReturnType<typeof profileTurns> | undefined;
  const answers: Readonly<Record<Question, () => unknown>> = {
    async longest(): Promise<LongestTurn> {
      const turn = await watch.longest();
      const spentOn = (await profile?.explain(turn)) ?? '';
      profile = undefined;
      return { ...turn, spentOn };
    },
    async profile() {
      profile = profileTurns();
      await watch.longest();
    },
    collections: () => collector.take(),
    cpu: threadCpuMs,
    reference: referenceMs,
    close: () => gateway.close(),
  };
  port.on('message', async (question: Question) => port.postMessage(await answers[question]()));
  port.postMessage({ address: gateway.address, keys, access });

  /** The owner of the first project, who stored a provider's credential, and a device and a directory. */
  async function accessOf(): Promise<WatchedGateway['access']> {
    const { organizationId, projectId } = accounts[0]!;
    const owner = await signInAs(gateway, 'owner', organizationId);
    await owner.call('PUT', `/projects/${projectId}/credentials/openai`, { secret: PROVIDER_KEY });
    const made = await owner.call<{ token: string }>('POST', '/directory-tokens', { name: 'Directory' });
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return {
      ...{ projectId, device: await gateway.addDevice(), directory: made.body.token },
      browser: {
        ...{ origin: gateway.address, 'sec-fetch-site': 'same-origin' },
        ...{ [CSRF_HEADER]: owner.csrfToken, cookie },
      },
    };
  }

  async function addProject({ settings, endpoint, patterns }: WatchedProject): Promise<string> {
    const account = await addAccount(gateway, { plan: 'enterprise', perMinute: 1_000_000 });
    const { organizationId, projectId } = account;
    accounts.push(account);
    await gateway.storage.projects.update(organizationId, projectId, {
      ...(settings && { settings }),
    });
    if (endpoint !== undefined)
      await gateway.storage.endpoints.put(organizationId, 'policy', projectId, {
        ...{ isEnabled: true, timeoutMs: 10_000, failMode: 'open', url: endpoint },
      });
    const base = { description: null, threatTypes: [], isActive: true };
    await gateway.storage.policies.insertMany(
      organizationId,
      projectId,
      (patterns ?? []).map((pattern, n) => ({
        ...{ ...base, name: `Pattern ${n}`, action: 'redact' as const, priority: 900 + n },
        rules: { patterns: [{ name: `pattern ${n}`, pattern }] },
      })),
    );
    return account.key;
  }
}

if (parentPort !== null && workerData !== null) await serve(parentPort, workerData as WatchedOptions);
