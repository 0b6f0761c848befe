import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { offerSetUp } from '../../../../apps/cloud/src/flows/accounts/set-up-owner.ts';
import { openBrowser, PASSWORD } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

const DAY = 24 * 60 * 60_000;

describe('first-run set-up', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock });
  });
  after(() => gateway.close());

  const offer = () => offerSetUp({ storage: gateway.storage, clock }, gateway.account);
  const setUp = (token: string | null, change: Record<string, unknown> = {}) => {
    const browser = openBrowser(gateway);
    const input = {
      token,
      email: 'ada@example.com',
      password: PASSWORD,
      organization_name: 'Analysts',
      ...change,
    };
    return { browser, answer: browser.call('POST', '/set-up', input) };
  };

  test('reports an expired link, a weak password and a taken address; the link survives the last two', async () => {
    const expired = await offer();
    clock.advance(DAY);
    const late = await setUp(expired).answer;
    assert.equal(late.status, 410);
    assert.equal(late.error['code'], 'link_expired');
    assert.match(String(late.error['message']), /Restart the service/);

    await gateway.storage.users.insert({ email: 'taken@example.com' });
    const token = await offer();
    for (const [change, field, sentence] of [
      [{ password: 'short' }, 'password', /at least 12 characters/],
      [{ password: 'passwordpassword' }, 'password', /easy to guess/],
      [{ password: 'x'.repeat(257) }, 'password', /at most 256 characters/],
      [{ email: 'taken@example.com' }, 'email', /another user/],
    ] as const) {
      const refused = await setUp(token, change).answer;
      assert.equal(refused.status, 422, JSON.stringify(refused.body));
      const [detail] = refused.body['detail'] as { loc: string[]; msg: string }[];
      assert.deepEqual(detail?.loc, ['body', field]);
      assert.match(detail?.msg ?? '', sentence);
    }

    const isSetUp = async () =>
      (await openBrowser(gateway).call('GET', '/sign-in-options')).body['is_set_up'];
    assert.equal(await isSetUp(), false);
    const { browser, answer } = setUp(token);
    const done = await answer;
    assert.equal(await isSetUp(), true);
    assert.equal(done.status, 200, JSON.stringify(done.body));
    const { body } = await browser.whoAmI();
    assert.equal(body.user.email, 'ada@example.com');
    assert.equal(body.user.email_verified, true);
    assert.equal(body.organization?.role, 'owner');
    assert.equal(body.organization?.name, 'Analysts');
    assert.equal((await openBrowser(gateway).signIn('ada@example.com')).status, 200);

    assert.equal((await setUp(token).answer).status, 410, 'a link works once');
    assert.equal(await offer(), null, 'there is no second set-up');
  });
});
