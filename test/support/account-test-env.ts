/** The account flows over real storage, without a service around them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { PLANS, type PlanName } from '@csg/shared/contract';
import type { AccountDeps } from '../../apps/cloud/src/flows/accounts/account-deps.ts';
import { hashPassword } from '../../apps/cloud/src/flows/accounts/hash-password.ts';
import type { TeamCaller } from '../../apps/cloud/src/flows/accounts/organizations.ts';
import { readSession, type SignedIn } from '../../apps/cloud/src/flows/accounts/read-session.ts';
import { type Browser, startSession } from '../../apps/cloud/src/flows/accounts/start-session.ts';
import { createLinks } from '../../apps/cloud/src/flows/links.ts';
import { createLocalLimiter } from '../../apps/cloud/src/limits/minute-limiter.ts';
import { createSignInThrottle } from '../../apps/cloud/src/limits/sign-in-throttle.ts';
import { openStorage } from '../../apps/cloud/src/storage/open-storage.ts';
import { createManualClock } from './clock.ts';
import { writeEmptyDatabase } from './empty-database.ts';

export const PASSWORD = 'correct horse battery staple';
export const BROWSER: Browser = { address: '192.0.2.1', userAgent: 'Test', knownToken: null };

let people = 0;
let passwordHash: Promise<string> | undefined;

export async function openAccountTestEnv(t: TestContext) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-accounts-'));
  await writeEmptyDatabase(dataDir);
  const clock = createManualClock();
  const storage = await openStorage({ dataDir, masterKey: Buffer.alloc(32, 7), now: clock.now });
  t.after(async () => {
    await storage.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const deps: AccountDeps = {
    storage,
    clock,
    links: createLinks(() => 'https://gateway.example.com'),
    signInThrottle: createSignInThrottle({ addressLimit: 30, now: clock.now }),
    limiter: createLocalLimiter(clock.now),
  };
  const { emails } = storage;

  /** A person with the password and an organization of their own. */
  async function addPerson(change: { readonly email?: string; readonly passwordHash?: string | null } = {}) {
    passwordHash ??= hashPassword(PASSWORD);
    const email = change.email ?? `person-${people++}@example.com`;
    const hash = change.passwordHash === undefined ? await passwordHash : change.passwordHash;
    const user = await storage.users.insert({ email, name: 'Person', passwordHash: hash });
    const { id } = await storage.organizations.insert({ kind: 'team', name: 'Team', ownerId: user.id });
    await storage.members.add(id, user.id, 'owner');
    return { userId: user.id, email, organizationId: id };
  }

  /** A session of the person in another browser; the token is the one of the session. */
  async function signIn(userId: string): Promise<{ person: SignedIn; token: string; knownToken: string }> {
    const { token, knownToken } = await storage.transaction((repositories) =>
      startSession(repositories, clock, userId, BROWSER),
    );
    const read = await readSession({ storage, plans: PLANS, clock }, token, BROWSER.address);
    return { person: read!.signedIn, token, knownToken: knownToken! };
  }

  /** A person who has signed in, as the flows of teams take them. */
  async function addCaller(plan?: PlanName): Promise<TeamCaller> {
    const { userId } = await addPerson();
    if (plan !== undefined) await storage.subscriptions.set(userId, { plan });
    await storage.users.update(userId, { emailVerifiedAtMs: 1 });
    const { person } = await signIn(userId);
    return { ...person.membership!, userId, session: person };
  }

  return {
    ...{ dataDir, deps, storage, clock, addPerson, signIn, addCaller },
    /** What the audit log of an organization says was done, oldest first, without sign-ins. */
    async changes(organizationId: string) {
      const { rows } = await storage.audit.page(organizationId, { limit: 200 });
      return rows
        .filter(({ kind }) => kind !== 'signed_in')
        .map(({ kind, actor, subject, data }) => ({ kind, actor, subject, data }))
        .reverse();
    },
    /** The emails to an address, oldest first, and what follows `#token=` in them. */
    async emailsTo(email: string, organizationId = 'org_none') {
      const scope = { organizationId, withAccounts: true };
      const found = (await emails.list(scope, { limit: 200 })).filter(({ to }) => to === email).reverse();
      return await Promise.all(
        found.map(async ({ id, subject, kind }) => {
          const { text } = (await emails.get(scope, id))!;
          return { subject, kind, text, token: /#token=(\w+)/.exec(text ?? '')?.[1] ?? '' };
        }),
      );
    },
  };
}
