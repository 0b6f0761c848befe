import { CSRF_HEADER, type SessionResponse } from '@csg/shared/contract';
import { hashPassword } from '../../apps/cloud/src/flows/accounts/hash-password.ts';
import type { Role } from '../../apps/cloud/src/storage/storage.ts';
import type { TestGateway } from './gateway.ts';

export const PASSWORD = 'a long quiet river bends';
let hashed: Promise<string> | undefined;
let made = 0;

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON body; empty if there is none. */
  readonly body: T;
  /** `error` of the body; empty if there is none. */
  readonly error: Record<string, unknown>;
}

/** One browser: stores cookies, and sends what a page of the service sends. */
export interface TestBrowser {
  readonly cookies: Map<string, string>;
  csrfToken: string;
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>;
  signIn(email: string, password?: string, code?: string): Promise<Answer<SessionResponse>>;
  /** Requests the current user, and stores the CSRF token. */
  whoAmI(): Promise<Answer<SessionResponse>>;
}

export function openBrowser(gateway: Pick<TestGateway, 'address'>, address?: string): TestBrowser {
  const cookies = new Map<string, string>();
  const browser: TestBrowser = {
    cookies,
    csrfToken: '',
    async call(method, path, body, headers = {}) {
      const response = await fetch(`${gateway.address}/dashboard${path}`, {
        method,
        redirect: 'manual',
        headers: {
          origin: gateway.address,
          'sec-fetch-site': 'same-origin',
          accept: 'application/json',
          ...(cookies.size === 0
            ? {}
            : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
          ...(browser.csrfToken === '' ? {} : { [CSRF_HEADER]: browser.csrfToken }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(address === undefined ? {} : { 'x-forwarded-for': address }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      // A body that is not JSON, such as an export, stays a text.
      const json = text === '' ? {} : isJson ? JSON.parse(text) : text;
      if (typeof json.csrf_token === 'string') browser.csrfToken = json.csrf_token;
      return { status: response.status, headers: response.headers, body: json, error: json.error ?? {} };
    },
    signIn: (email, password = PASSWORD, code) =>
      browser.call('POST', '/session', { email, password, ...(code === undefined ? {} : { code }) }),
    whoAmI: () => browser.call('GET', '/session'),
  };
  return browser;
}

export interface Person {
  readonly userId: string;
  readonly email: string;
}

/** Adds a person who can sign in with PASSWORD. */
export async function addPerson(
  { storage }: Pick<TestGateway, 'storage'>,
  options: { readonly email?: string; readonly isVerified?: boolean } = {},
): Promise<Person> {
  hashed ??= hashPassword(PASSWORD);
  const email = options.email ?? `someone${++made}@example.com`;
  const user = await storage.users.insert({
    email,
    passwordHash: await hashed,
    emailVerifiedAtMs: options.isVerified === false ? null : 1,
  });
  return { userId: user.id, email };
}

/**
 * Adds a person with that role to an organization (default: the first account's), signed in in a browser of their own.
 */
export async function signInAs(
  gateway: Pick<TestGateway, 'storage' | 'account' | 'address'>,
  role: Role,
  organizationId = gateway.account.organizationId,
): Promise<TestBrowser & Person> {
  const person = role === 'owner' ? await ownerOf(gateway, organizationId) : await addPerson(gateway);
  if (role !== 'owner') await gateway.storage.members.add(organizationId, person.userId, role);
  const browser = openBrowser(gateway);
  const answer = await browser.signIn(person.email);
  if (answer.status !== 200) throw new Error(`signing in failed: ${JSON.stringify(answer.body)}`);
  return Object.assign(browser, person);
}

async function ownerOf({ storage }: Pick<TestGateway, 'storage'>, organizationId: string): Promise<Person> {
  const ownerId = (await storage.organizations.get(organizationId))!.ownerId;
  hashed ??= hashPassword(PASSWORD);
  const { email } = await storage.users.update(ownerId, { passwordHash: await hashed });
  return { userId: ownerId, email };
}
