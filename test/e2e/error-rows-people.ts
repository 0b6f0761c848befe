import type { ErrorCode } from '@csg/shared/contract';
import { addPerson, signInAs } from '../support/browser.ts';
import type { Rows } from './error-world.ts';

/** Who signs in, and from where. */
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
  second_factor_required: 'the second factor comes with the account page',
  wrong_code: 'the second factor comes with the account page',
  owner_protected: 'members are managed on a page of their own',
} satisfies Partial<Record<ErrorCode, Rows>>;
