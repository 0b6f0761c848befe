import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import {
  invite,
  resendInvitation,
  revokeInvitation,
} from '../../../../apps/cloud/src/flows/accounts/invitations.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const DAY_MS = 86_400_000;
const code =
  (expected: string, message = /./, fields?: object) =>
  (error: unknown) => {
    assert.ok(error instanceof CodedError);
    assert.deepEqual([error.code, message.test(error.message)], [expected, true], error.message);
    if (fields !== undefined) assert.deepEqual(error.fields, fields);
    return true;
  };

async function openTeam(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const caller = await env.addCaller();
  const { organizationId } = caller;
  const log = async () =>
    (await env.changes(organizationId)).map(({ kind, actor, subject, data }) => [kind, actor, subject, data]);
  const sent = (email: string) => env.emailsTo(email, organizationId);
  const valid = async (token: string) => (await env.storage.invitations.findByToken(token))?.id ?? null;
  return { ...env, caller, log, sent, valid };
}

test('an invitation is sent and recorded, lasts a week, and is there once for an address', async (t) => {
  const { deps, storage, clock, caller, log, sent, valid } = await openTeam(t);
  const input = { email: ' new@example.com ', role: 'viewer' } as const;
  const made = await invite(deps, caller, input);
  assert.deepEqual(
    [made.email, made.role, made.invitedBy, made.expiresAtMs],
    ['new@example.com', 'viewer', caller.userId, clock.now() + 7 * DAY_MS],
  );
  const [email, ...others] = await sent('new@example.com');
  assert.deepEqual([await valid(email!.token), others], [made.id, []]);
  assert.match(email!.text ?? '', /Team/);
  const row = ['invitation_created', caller.userId, made.id, { role: 'viewer' }];
  assert.deepEqual(await log(), [row]);
  clock.advance(7 * DAY_MS - 1);
  await assert.rejects(
    invite(deps, caller, input),
    code('invalid_state', /invited/, { invitation_id: made.id }),
  );
  clock.advance(1);
  const again = await invite(deps, caller, input);
  assert.deepEqual(
    (await storage.invitations.listOpen(caller.organizationId)).map(({ id }) => id),
    [again.id],
  );
  assert.equal(await valid(email!.token), null, 'the expired one is revoked');
});

test('members are not invited, nor anyone by a person whose address is not verified', async (t) => {
  const { deps, caller, log, addPerson } = await openTeam(t);
  const { email } = caller.session;
  await assert.rejects(invite(deps, caller, { email, role: 'admin' }), code('invalid_state', /member/));
  const session = { ...caller.session, isEmailVerified: false };
  await assert.rejects(
    invite(deps, { ...caller, session }, { email: 'x@example.com', role: 'admin' }),
    code('email_not_verified'),
  );
  assert.deepEqual(await log(), []);
  const elsewhere = await addPerson();
  assert.equal((await invite(deps, caller, { email: elsewhere.email, role: 'admin' })).role, 'admin');
});

test('two hundred invitations are open at most, and sixty are sent a minute', async (t) => {
  const { deps, storage, clock, caller } = await openTeam(t);
  const { organizationId } = caller;
  const open = (n: number) =>
    storage.invitations.create(organizationId, {
      email: `p${n}@example.com`,
      ...{ role: 'member', invitedBy: caller.userId, expiresAtMs: clock.now() + DAY_MS },
    });
  for (let n = 0; n < 199; n++) await open(n);
  const send = (email: string) => invite(deps, caller, { email, role: 'member' });
  await send('last@example.com');
  await assert.rejects(send('more@example.com'), code('plan_limit_reached', /200/, { limit: 200 }));
  for (let n = 0; n < 58; n++) await assert.rejects(send(`q${n}@example.com`), code('plan_limit_reached'));
  await assert.rejects(send('q59@example.com'), code('rate_limit_exceeded'));
});

test('it is sent again after a minute, with a new link and a new week', async (t) => {
  const { deps, storage, clock, caller, log, sent, valid } = await openTeam(t);
  const made = await invite(deps, caller, { email: 'new@example.com', role: 'member' });
  const resend = (id = made.id) => resendInvitation(deps, caller, id);
  clock.advance(59_999);
  await assert.rejects(resend(), code('rate_limit_exceeded', /minute/, { retry_after: 60 }));
  clock.advance(1);
  const renewed = await resend();
  assert.deepEqual([renewed.id, renewed.expiresAtMs], [made.id, clock.now() + 7 * DAY_MS]);
  const [old, newest] = await sent('new@example.com');
  assert.deepEqual([await valid(old!.token), await valid(newest!.token)], [null, made.id]);
  assert.deepEqual((await log()).at(-1), ['invitation_resent', caller.userId, made.id, { role: 'member' }]);
  await assert.rejects(resend('inv_none'), code('not_found'));
  await storage.invitations.accept(caller.organizationId, made.id);
  await assert.rejects(resend(), code('invalid_state', /accepted/, { status: 'accepted' }));
});

test('it is revoked once, and not by others', async (t) => {
  const { deps, caller, addCaller, log, sent, valid } = await openTeam(t);
  const made = await invite(deps, caller, { email: 'new@example.com', role: 'member' });
  const stranger = await addCaller();
  await assert.rejects(revokeInvitation(deps, stranger, made.id), code('not_found'));
  await assert.rejects(resendInvitation(deps, stranger, made.id), code('not_found'));
  await revokeInvitation(deps, caller, made.id);
  assert.equal(await valid((await sent('new@example.com'))[0]!.token), null);
  assert.deepEqual((await log()).at(-1), ['invitation_revoked', caller.userId, made.id, { role: 'member' }]);
  await assert.rejects(
    revokeInvitation(deps, caller, made.id),
    code('invalid_state', /revoked/, { status: 'revoked' }),
  );
  assert.equal((await log()).length, 2);
});
