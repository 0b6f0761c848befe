import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SCIM, SCIM_TYPE, type ScimList, type ScimUser } from '@csg/shared/contract';
import { addAccount } from '../../../support/accounts.ts';
import { addPerson, openBrowser, PASSWORD, signInAs } from '../../../support/browser.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { emailsTo, tokenTo } from '../../../support/outbox.ts';

interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}
interface Fault {
  readonly schemas: string[];
  readonly status: string;
  readonly detail: string;
  readonly scimType?: string;
}

describe('SCIM 2.0', () => {
  let gateway: TestGateway;
  let token: string;
  before(async () => {
    gateway = await startGateway();
    const admin = await signInAs(gateway, 'admin');
    const made = await admin.call<{ token: string; base_url: string }>('POST', '/directory-tokens', {
      name: 'Identity provider',
    });
    assert.equal(made.body.base_url, `${gateway.address}/scim/v2`);
    token = made.body.token;
  });
  after(() => gateway.close());

  async function call<T = Fault>(
    method: string,
    path: string,
    body?: unknown,
    options: { bearer?: string | null; type?: string } = {},
  ): Promise<Answer<T>> {
    const bearer = options.bearer === undefined ? token : options.bearer;
    const response = await fetch(`${gateway.address}/scim/v2${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': options.type ?? SCIM_TYPE }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (text !== '') assert.match(response.headers.get('content-type') ?? '', /^application\/scim\+json/);
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? {} : JSON.parse(text)) as T,
    };
  }
  const create = (userName: string, more: object = {}) =>
    call<ScimUser>('POST', '/Users', { schemas: [SCIM.user], userName, ...more });
  const find = async (filter: string) =>
    (await call<ScimList>('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body;
  const setActive = (id: string, active: boolean) =>
    call<ScimUser & Fault>('PATCH', `/Users/${id}`, {
      schemas: [SCIM.patch],
      Operations: [{ op: 'replace', path: 'active', value: active }],
    });

  test('a new person becomes a member, is notified by email, and signs in by choosing a password', async () => {
    const made = await create('ada@example.com', {
      externalId: 'x-1',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: 'ada@example.com', primary: true }],
      title: 'Countess',
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal(made.headers.get('location'), `${gateway.address}/scim/v2/Users/${made.body.id}`);
    assert.deepEqual(made.body.name, { givenName: 'Ada', familyName: 'Lovelace' });
    assert.equal(made.body.active, true);
    assert.deepEqual((await call<ScimUser>('GET', `/Users/${made.body.id}`)).body, made.body);
    assert.deepEqual((await find('userName eq "ADA@example.com"')).Resources, [made.body]);
    assert.equal((await find('externalId eq "x-1"')).totalResults, 1);
    assert.equal((await find('userName eq "nobody@example.com"')).totalResults, 0);

    const again = await call('POST', '/Users', { userName: 'Ada@Example.com' });
    assert.equal(again.status, 409);
    assert.deepEqual(
      [again.body.scimType, again.body.status, again.body.schemas],
      ['uniqueness', '409', [SCIM.error]],
    );

    assert.match((await emailsTo(gateway, 'ada@example.com'))[0]?.subject ?? '', /You were added to/);
    await openBrowser(gateway).call('POST', '/password/forgot', { email: 'ada@example.com' });
    const link = await tokenTo(gateway, 'ada@example.com');
    await openBrowser(gateway).call('POST', '/password/reset', { token: link, password: PASSWORD });
    const { body } = await openBrowser(gateway).signIn('ada@example.com');
    assert.equal(body.organization?.role, 'member');
  });

  test('a deactivated person loses their keys here immediately, and keeps their account', async () => {
    const { body: user } = await create('leaver@example.com');
    const key = await gateway.addKey({ userId: user.id });
    const ask = async () => (await gateway.call('GET', '/api/v1/policies', { key: key.plain })).status;
    assert.equal(await ask(), 200);
    const gone = await setActive(user.id, false);
    assert.equal(gone.status, 200);
    assert.equal(gone.body.active, false);
    assert.equal(await ask(), 401);
    assert.equal((await find('userName eq "leaver@example.com"')).Resources[0]?.active, false);
    assert.notEqual(await gateway.storage.users.get(user.id), null);
    assert.equal((await setActive(user.id, false)).status, 200, 'a repeated deactivation is no error');
    assert.equal((await setActive(user.id, true)).body.active, true);
    assert.equal(await ask(), 401, 'what was revoked stays revoked');
    const put = await call<ScimUser>('PUT', `/Users/${user.id}`, {
      userName: 'leaver@example.com',
      name: { givenName: 'Lea' },
      active: false,
    });
    assert.deepEqual([put.body.active, put.body.name], [false, { givenName: 'Lea' }]);
    assert.equal((await call('DELETE', `/Users/${user.id}`)).status, 204);
    assert.equal((await call('GET', `/Users/${user.id}`)).status, 404);
    assert.equal((await call('DELETE', `/Users/${user.id}`)).status, 404);
    assert.notEqual(await gateway.storage.users.get(user.id), null, 'the account is theirs');
    const kinds = (await gateway.storage.audit.page(gateway.account.organizationId)).rows;
    assert.ok(kinds.some(({ kind, actor }) => kind === 'member_removed' && actor.startsWith('dirt_')));
  });

  test('the owner cannot be deactivated or deleted', async () => {
    const owner = await signInAs(gateway, 'owner');
    const listed = await find(`userName eq "${owner.email}"`);
    assert.equal(listed.Resources[0]?.id, owner.userId, 'members are users, however they came');
    for (const answer of [
      await setActive(owner.userId, false),
      await call('DELETE', `/Users/${owner.userId}`),
      await call('PUT', `/Users/${owner.userId}`, { userName: owner.email, active: false }),
    ]) {
      assert.equal(answer.status, 409);
      assert.equal(answer.body.status, '409');
      assert.match(answer.body.detail, /owner/);
    }
    assert.equal((await owner.whoAmI()).body.organization?.role, 'owner');
  });

  test('a person with an account elsewhere is invited with it, and the directory cannot change it', async () => {
    const person = await addPerson(gateway);
    const made = await create(person.email, { name: { givenName: 'Other' } });
    assert.deepEqual([made.status, made.body.active], [201, false]);
    assert.equal(made.body.id, person.userId);
    assert.equal((await gateway.storage.users.get(person.userId))?.name, null);
    const renamed = await call('PATCH', `/Users/${person.userId}`, {
      Operations: [{ op: 'replace', path: 'userName', value: 'mallory@example.com' }],
    });
    assert.deepEqual([renamed.status, renamed.body.scimType], [400, 'mutability']);
    assert.equal((await openBrowser(gateway).signIn(person.email)).status, 200, 'their password is theirs');
  });

  test('people of another organization are a 404', async () => {
    const foreign = await addAccount(gateway, { plan: 'pro' });
    const nowhere = `${foreign.accountId.slice(0, -6)}zzzzzz`;
    for (const ask of [
      (id: string) => call('GET', `/Users/${id}`),
      (id: string) => setActive(id, false),
      (id: string) => call('DELETE', `/Users/${id}`),
    ]) {
      const [theirs, nobodys] = [await ask(foreign.accountId), await ask(nowhere)];
      assert.equal(theirs.status, 404);
      assert.deepEqual(
        [theirs.status, theirs.body],
        [nobodys.status, nobodys.body],
        'the response reveals that they exist',
      );
    }
    const owner = (await gateway.storage.users.get(foreign.accountId))!;
    assert.equal((await find(`userName eq "${owner.email}"`)).totalResults, 0);
  });

  test('a request without a valid token is a 401 in the format of SCIM; a removed token ends immediately', async () => {
    for (const bearer of [null, 'svc_scim_wrong', gateway.key]) {
      const refused = await call('GET', '/Users', undefined, { bearer });
      assert.equal(refused.status, 401);
      assert.equal(refused.body.status, '401');
      assert.equal(refused.headers.get('www-authenticate'), 'Bearer');
    }
    const admin = await signInAs(gateway, 'admin');
    const made = await admin.call<{ id: string; token: string }>('POST', '/directory-tokens', {
      name: 'Old',
    });
    const bearer = made.body.token;
    assert.equal((await call('GET', '/Users', undefined, { bearer })).status, 200);
    type Tokens = { id: string; last_used_at: string | null }[];
    const listed = (await admin.call<Tokens>('GET', '/directory-tokens')).body;
    assert.notEqual(listed.find(({ id }) => id === made.body.id)?.last_used_at, null);
    assert.ok(!JSON.stringify(listed).includes(bearer));
    assert.equal((await admin.call('DELETE', `/directory-tokens/${made.body.id}`)).status, 204);
    assert.equal((await call('GET', '/Users', undefined, { bearer })).status, 401);
    assert.equal((await admin.call('DELETE', `/directory-tokens/${made.body.id}`)).status, 404);
  });

  test('invalid input is reported in the format of SCIM', async () => {
    const cases: readonly (readonly [string, string, unknown, string | undefined])[] = [
      ['POST', '/Users', '{', 'invalidSyntax'],
      ['POST', '/Users', {}, 'invalidSyntax'],
      ['POST', '/Users', { userName: 'no address' }, 'invalidValue'],
      ['POST', '/Users', { userName: 'a@b.c', active: 'yes' }, 'invalidValue'],
      ['POST', '/Users', { userName: 'a@b.c', active: 1 }, 'invalidSyntax'],
      ['GET', '/Users?filter=active%20eq%20true', undefined, 'invalidFilter'],
      ['GET', '/Users?count=many', undefined, 'invalidSyntax'],
    ];
    for (const [method, path, body, scimType] of cases) {
      const answer = await call(method, path, body);
      const shown = `${method} ${path} ${JSON.stringify(body)} → ${JSON.stringify(answer.body)}`;
      assert.equal(answer.status, 400, shown);
      assert.equal(answer.body.scimType, scimType, shown);
      assert.deepEqual(answer.body.schemas, [SCIM.error], shown);
    }
    assert.equal(
      (await call('POST', '/Users', { userName: 'json@example.com' }, { type: 'application/json' })).status,
      201,
    );
    assert.equal((await call('POST', '/Users', 'x', { type: 'text/plain' })).status, 415);
  });

  test('`active` is a boolean or a text, in every request', async () => {
    for (const [index, [written, read]] of (
      [
        ['True', true],
        ['False', false],
        ['true', true],
        ['FALSE', false],
        [false, false],
      ] as const
    ).entries()) {
      const { status, body } = await create(`flag-${index}@example.com`, {
        active: written,
      });
      assert.deepEqual([status, body.active], [201, read], String(written));
      const put = (active: unknown) =>
        call<ScimUser>('PUT', `/Users/${body.id}`, { userName: body.userName, active });
      assert.equal((await put(read ? 'False' : 'True')).body.active, !read, 'replaced');
      assert.equal((await put(undefined)).body.active, !read, 'a replacement without the attribute keeps it');
      const patch = { Operations: [{ op: 'Replace', path: 'active', value: written }] };
      assert.equal((await call<ScimUser>('PATCH', `/Users/${body.id}`, patch)).body.active, read, 'patched');
    }
  });

  test('every error is in the format of SCIM, also of addresses and methods that do not exist', async () => {
    for (const [method, path, status] of [
      ['GET', '/Me', 404],
      ['POST', '/Bulk', 404],
      ['POST', '/Users/.search', 405],
      ['GET', '/Unknown/deeper?x=1', 404],
      ['GET', '/', 404],
      ['DELETE', '/Users', 405],
      ['PATCH', '/ServiceProviderConfig', 405],
      ['GET', `/Users/${'x'.repeat(300)}`, 404],
      ['GET', '/Users/%zz', 400],
    ] as const) {
      const answer = await call(method, path, method === 'GET' ? undefined : {});
      const shown = `${method} ${path} ${JSON.stringify(answer.body)}`;
      assert.equal(answer.status, status, shown);
      assert.deepEqual([answer.body.schemas, answer.body.status], [[SCIM.error], String(status)], shown);
      assert.equal(typeof answer.body.detail, 'string', shown);
    }
  });

  test('long lists come in pages', async () => {
    const all = (await call<ScimList>('GET', '/Users')).body;
    assert.equal(all.itemsPerPage, all.totalResults);
    const ids: string[] = [];
    for (let start = 1; start <= all.totalResults; start += 2) {
      const page = (await call<ScimList>('GET', `/Users?startIndex=${start}&count=2`)).body;
      assert.equal(page.startIndex, start);
      assert.equal(page.totalResults, all.totalResults);
      ids.push(...page.Resources.map(({ id }) => id));
    }
    assert.deepEqual(
      ids,
      all.Resources.map(({ id }) => id),
    );
    assert.deepEqual((await call<ScimList>('GET', '/Users?count=0')).body.Resources, []);
  });

  test('the discovery routes describe the service', async () => {
    const config = await call<{ patch: { supported: boolean }; bulk: { supported: boolean } }>(
      'GET',
      '/ServiceProviderConfig',
    );
    assert.deepEqual([config.body.patch.supported, config.body.bulk.supported], [true, false]);
    const types = await call<{ Resources: { endpoint: string; schema: string }[] }>('GET', '/ResourceTypes');
    assert.deepEqual(types.body.Resources[0]?.endpoint, '/Users');
    assert.equal((await call('GET', '/ResourceTypes/User')).status, 200);
    const schemas = await call<{ Resources: { id: string }[] }>('GET', '/Schemas');
    assert.equal(schemas.body.Resources[0]?.id, SCIM.user);
    assert.equal((await call('GET', `/Schemas/${SCIM.user}`)).status, 200);
    assert.equal((await call('GET', '/Schemas/urn:nothing')).status, 404);
  });

  test('repeated activation does not flood the mailbox', async () => {
    const { body: user } = await create('mailbox@example.com');
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) {
      await setActive(user.id, false);
      statuses.push((await setActive(user.id, true)).status);
    }
    assert.ok(statuses.includes(429), `${statuses}`);
    // A minute may have ended in between.
    assert.ok((await emailsTo(gateway, 'mailbox@example.com')).length <= 4);
  });

  test('concurrent creations of one person create one', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => create('twice@example.com')));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  });
});
