import type { ErrorCode } from '@csg/shared/contract';
import { addAccount } from '../support/accounts.ts';
import { addPerson, openBrowser, PASSWORD, type Person, signInAs } from '../support/browser.ts';
import type { Rows, TestEnv } from './error-test-env.ts';

/** Errors of sign-in: by whom, and from where. */
export const PEOPLE_ERRORS = {
  not_signed_in: [{ provoke: (w) => w.ask('GET', '/dashboard/session', { key: null }) }],
  wrong_credentials: [
    {
      provoke: async (w) => {
        const { email } = await addPerson(w.gateway);
        return w.ask('POST', '/dashboard/session', { key: null, body: { email, password: 'wrong' } });
      },
    },
  ],
  foreign_request: [
    {
      provoke: (w) =>
        w.ask('POST', '/dashboard/session', {
          key: null,
          body: { email: 'ada@example.com', password: 'x' },
          headers: { origin: 'https://elsewhere.example' },
        }),
    },
    {
      provoke: async (w) => {
        const browser = await signInAs(w.gateway, 'admin');
        browser.csrfToken = '';
        return browser.call('DELETE', '/session');
      },
    },
  ],
  link_expired: [
    {
      provoke: (w) =>
        w.ask('POST', '/dashboard/set-up', {
          key: null,
          body: { token: 'used', email: 'ada@example.com', password: 'a long quiet river bends' },
        }),
    },
  ],
  second_factor_required: [
    {
      provoke: async (w) => {
        const { email } = await addSecondFactor(w);
        return openBrowser(w.gateway).signIn(email);
      },
    },
  ],
  wrong_code: [
    {
      provoke: async (w) => {
        const { email } = await addSecondFactor(w);
        return openBrowser(w.gateway).signIn(email, PASSWORD, '000000');
      },
    },
  ],
  second_factor_missing: [
    {
      provoke: async (w) => {
        const account = await addAccount(w.gateway, { plan: 'pro' });
        await w.gateway.storage.organizations.setRequiresSecondFactor(account.organizationId, true);
        return (await signInAs(w.gateway, 'viewer', account.organizationId)).call('GET', '/members');
      },
    },
  ],
  sso_required: [
    {
      fields: ['organization_id'],
      provoke: async (w) => {
        const account = await addAccount(w.gateway, { plan: 'pro' });
        const viewer = await signInAs(w.gateway, 'viewer', account.organizationId);
        await w.gateway.storage.organizations.setSsoOnly(account.organizationId, true);
        return viewer.call('GET', '/members');
      },
    },
    {
      fields: ['organization_id'],
      provoke: async (w) => {
        const account = await addAccount(w.gateway, { plan: 'pro' });
        const person = await addPerson(w.gateway);
        await w.gateway.storage.members.add(account.organizationId, person.userId, 'viewer');
        await w.gateway.storage.organizations.setSsoOnly(account.organizationId, true);
        return openBrowser(w.gateway).signIn(person.email);
      },
    },
  ],
  sso_refused: [{ provoke: (w) => w.ask('GET', '/dashboard/sso/callback?state=x&code=y', { key: null }) }],
  sso_unavailable: [
    {
      provoke: async (w) => {
        const { organizationId } = w.gateway.account;
        await w.gateway.storage.singleSignOn.setProvider(organizationId, {
          issuer: 'http://127.0.0.1:9',
          clientId: 'gateway',
          clientSecret: null,
          roleClaim: null,
          emailTrust: 'verified',
          domains: ['example.com'],
        });
        return w.ask('GET', `/dashboard/sso/start?organization=${organizationId}`, { key: null });
      },
    },
  ],
  owner_protected: [
    {
      provoke: async (w) => {
        const admin = await signInAs(w.gateway, 'admin');
        return admin.call('DELETE', `/members/${w.gateway.account.accountId}`);
      },
    },
  ],
  sign_up_closed: [
    {
      provoke: (w) =>
        w.ask('POST', '/dashboard/sign-up', {
          key: null,
          body: { email: 'ada@example.com', password: PASSWORD },
        }),
    },
  ],
} satisfies Partial<Record<ErrorCode, Rows>>;

async function addSecondFactor({ gateway }: TestEnv): Promise<Person> {
  const person = await addPerson(gateway);
  await gateway.storage.secondFactors.begin(person.userId, 'JBSWY3DPEHPK3PXP');
  await gateway.storage.secondFactors.confirm(person.userId, 1);
  return person;
}
