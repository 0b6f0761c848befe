import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AuditPageResponse, OwnSession } from '@csg/shared/contract';
import { makeObjects } from '../../../e2e/dashboard-objects.ts';
import { addDeviceOf } from '../../../support/accounts.ts';
import { CHANGES, NOW_MS } from '../../../support/audited-changes.ts';
import { openBrowser, PASSWORD, signInAs, type TestBrowser } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

import { oneTimeCode } from '../../../support/one-time-code.ts';
import { tokenTo } from '../../../support/outbox.ts';

const MINUTE_MS = 60_000;

/** The id of the created object, wherever the response has it. */
interface Made {
  readonly id?: string;
  readonly enrollment?: { readonly id: string };
  readonly new_key?: { readonly id: string };
}

describe('the audit log', () => {
  const clock = createManualClock(NOW_MS);
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock, env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
  });
  after(() => gateway.close());

  test('records each change of an admin once, with its kind, actor, subject and data', async () => {
    const admin = await signInAs(gateway, 'admin');
    const [viewer, owner] = [await signInAs(gateway, 'viewer'), await signInAs(gateway, 'owner')];
    const ids = new Map(Object.entries(await makeObjects(gateway, { admin, viewer, owner })));
    await addDeviceOf(gateway, gateway.account);
    const devices = await gateway.storage.devices.list(gateway.account.organizationId);
    ids.set('second', devices.find(({ id }) => id !== ids.get('device_id'))!.id);
    ids.set('email', owner.email);
    ids.set('owner', owner.userId);
    const texts = await gateway.storage.allowedTexts.list(gateway.account.organizationId);
    ids.set('reported', texts[0]!.eventId);
    const withIds = (text: string) =>
      text.replaceAll(/:([a-z_]+)/g, (name, id: string) => ids.get(id) ?? name);
    const withNames = (text: string) =>
      [...ids].reduce((left, [name, id]) => left.replaceAll(`"${id}"`, `":${name}"`), text);
    const newest = async () =>
      (await admin.call<AuditPageResponse>('GET', '/audit-log?only=changes&limit=20')).body.rows;
    let seen = (await newest())[0]?.seq ?? 0;
    const found: unknown[] = [];
    const due: unknown[] = [];
    for (const { route, body, as, records } of CHANGES) {
      const [method = '', address = ''] = withIds(route).split(' ');
      const sent = body === undefined ? undefined : JSON.parse(withIds(JSON.stringify(body)));
      const answer = await admin.call<Made>(method, address, sent);
      assert.ok(answer.status < 300, `${route}: ${JSON.stringify(answer.body)}`);
      if (as !== undefined)
        ids.set(as, answer.body.id ?? answer.body.enrollment?.id ?? answer.body.new_key?.id ?? '');
      const rows = (await newest()).filter(({ seq }) => seq > seen).reverse();
      seen = rows.at(-1)?.seq ?? seen;
      found.push([
        route,
        rows.map(({ kind, actor, subject, data }) => [
          kind,
          actor,
          JSON.parse(withNames(JSON.stringify(subject))),
          JSON.parse(withNames(JSON.stringify(data))),
        ]),
      ]);
      due.push([route, records.map(([kind, subject, data]) => [kind, admin.userId, subject, data])]);
    }
    assert.deepEqual(found, due);
  });

  test('records what people do to their own account, which ends links that were sent before', async () => {
    const person = await signInAs(gateway, 'member');
    const me = person.userId;
    const { organizationId } = gateway.account;
    let email = person.email;
    let password = PASSWORD;
    const ok = async <T = object>(method: string, path: string, body?: object, who: TestBrowser = person) => {
      const answer = await who.call<T>(method, path, body);
      assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const newest = async () => (await gateway.storage.audit.page(organizationId, { limit: 20 })).rows;
    let seen = (await newest())[0]?.seq ?? 0;
    const recorded = async (...due: readonly (readonly [kind: string, data: object])[]) => {
      const rows = (await newest()).filter(({ seq, kind }) => seq > seen && kind !== 'signed_in').reverse();
      seen = (await newest())[0]?.seq ?? seen;
      assert.deepEqual(
        rows.map(({ kind, actor, subject, data }) => [kind, actor, subject, data]),
        due.map(([kind, data]) => [kind, me, me, data]),
      );
    };
    const resetLink = async () => {
      clock.advance(2 * MINUTE_MS);
      await ok('POST', '/password/forgot', { email }, openBrowser(gateway));
      return tokenTo(gateway, email);
    };
    const isOver = async (token: string) => {
      const answer = await openBrowser(gateway).call('POST', '/password/reset', {
        token,
        password: PASSWORD,
      });
      assert.equal(answer.error['code'], 'link_expired');
    };

    const first = await resetLink();
    await ok('POST', '/account/password', {
      current_password: password,
      new_password: 'a short loud lake rests',
    });
    password = 'a short loud lake rests';
    await recorded(['password_changed', {}]);
    await isOver(first);

    const { secret } = await ok<{ secret: string }>('POST', '/account/second-factor', {
      current_password: password,
    });
    await recorded();
    const code = () => {
      clock.advance(MINUTE_MS);
      return { code: oneTimeCode(secret, clock.now()) };
    };
    await ok('POST', '/account/second-factor/confirm', code());
    await recorded(['second_factor_added', {}]);
    await ok('POST', '/account/second-factor/recovery-codes', code());
    await recorded(['recovery_codes_renewed', {}]);
    await ok('POST', '/account/second-factor/remove', { current_password: password, ...code() });
    await recorded(['second_factor_removed', {}]);
    const none = await person.call('POST', '/account/second-factor/recovery-codes', code());
    assert.deepEqual([none.status, none.error['code']], [401, 'wrong_code']);

    const elsewhere = [openBrowser(gateway), openBrowser(gateway), openBrowser(gateway)];
    for (const browser of elsewhere) await browser.signIn(email, password);
    const sessions = await ok<OwnSession[]>('GET', '/account/sessions');
    assert.equal(sessions.filter(({ is_this }) => is_this).length, 1);
    await ok('DELETE', `/account/sessions/${sessions.find(({ is_this }) => !is_this)!.id}`);
    await recorded(['sessions_ended', { count: 1 }]);
    await ok('DELETE', '/account/sessions');
    await recorded(['sessions_ended', { count: 2 }]);
    for (const browser of elsewhere) assert.equal((await browser.whoAmI()).status, 401);

    const toOldAddress = await resetLink();
    await ok('POST', '/account/email', { email: 'new-address@example.com', current_password: password });
    await recorded();
    await ok('POST', '/account/email/verify', { token: await tokenTo(gateway, 'new-address@example.com') });
    await recorded(['email_changed', {}]);
    await isOver(toOldAddress);
    email = 'new-address@example.com';
    const token = await resetLink();
    await ok('POST', '/password/reset', { token, password: PASSWORD }, openBrowser(gateway));
    await recorded(['password_reset', {}]);
    assert.equal((await person.whoAmI()).status, 401, 'its sessions ended');
  });
});
