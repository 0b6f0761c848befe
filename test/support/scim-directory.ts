/** A directory that provisions an organization of a real gateway by SCIM. */
import assert from 'node:assert/strict';
import { SCIM_TYPE, type ScimUser } from '@csg/shared/contract';
import type { TestBrowser } from './browser.ts';
import type { TestGateway } from './gateway.ts';

export interface ScimAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they expect.
  readonly body: any;
}

export interface ScimDirectory {
  readonly id: string;
  call(method: string, path: string, body?: unknown): Promise<ScimAnswer>;
  addUser(email: string, more?: object): Promise<ScimUser>;
  addGroup(displayName: string, members?: readonly string[], more?: object): Promise<string>;
  patch(path: string, ...operations: object[]): Promise<ScimAnswer>;
  /** Ids of the members of a group. */
  membersOf(groupId: string): Promise<readonly string[]>;
}

export async function openDirectory(gateway: TestGateway, admin: TestBrowser): Promise<ScimDirectory> {
  const made = await admin.call<{ id: string; token: string }>('POST', '/directory-tokens', {
    name: 'Directory',
  });
  const { id, token } = made.body;
  async function call(method: string, path: string, body?: unknown): Promise<ScimAnswer> {
    const response = await fetch(`${gateway.address}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': SCIM_TYPE },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }
  const expect = async (status: number, ...input: Parameters<typeof call>) => {
    const answer = await call(...input);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    return answer.body;
  };
  const named = (ids: readonly string[]) => ids.map((value) => ({ value }));
  return {
    id,
    call,
    addUser: (email, more = {}) => expect(201, 'POST', '/Users', { userName: email, ...more }),
    addGroup: async (displayName, members = [], more = {}) =>
      (await expect(201, 'POST', '/Groups', { displayName, members: named(members), ...more })).id,
    patch: (path, ...Operations) =>
      call('PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }),
    membersOf: async (groupId) =>
      ((await expect(200, 'GET', `/Groups/${groupId}`)).members as { value: string }[]).map(
        ({ value }) => value,
      ),
  };
}
