import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBrowser } from '../../../support/browser.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  signInAtProvider,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../../support/identity-provider.ts';

describe('an identity provider whose clock is wrong', () => {
  let gateway: TestGateway;
  let identityProvider: TestIdentityProvider;
  before(async () => {
    identityProvider = await startIdentityProvider(() => [`${gateway.address}/dashboard/sso/callback`]);
    gateway = await startGateway({
      isOwn: true,
      env: {
        OIDC_ISSUER: identityProvider.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
        OIDC_ALLOWED_DOMAINS: 'corp.example',
        LOG_LEVEL: 'info',
      },
    });
    identityProvider.people.set('sub-1', { email: 'ana@corp.example', email_verified: true });
    identityProvider.subject = 'sub-1';
  });
  after(async () => {
    await gateway.close();
    await identityProvider.close();
  });
  const signIn = async (clockOffS: number) => {
    identityProvider.clockOffS = clockOffS;
    const browser = openBrowser(gateway);
    const started = await browser.call('GET', '/sso/start');
    const back = await signInAtProvider(identityProvider, started.headers.get('location')!);
    return { browser, answer: await browser.call('GET', back.slice(back.indexOf('/sso/callback'))) };
  };

  test('by ten minutes, either way, gives no session, and the log says by how much', async () => {
    for (const offS of [600, -600]) {
      const { browser, answer } = await signIn(offS);
      assert.equal(answer.status, 403, `${offS}`);
      assert.equal((await browser.whoAmI()).status, 401);
      const line = gateway.logLines.at(-1) ?? '';
      assert.match(
        gateway.logLines.join('\n'),
        /clock of the identity provider is (59\d|60\d) seconds/,
        line,
      );
    }
  });

  test('by two minutes still lets people sign in', async () => {
    for (const offS of [120, -120, 0]) {
      const { browser, answer } = await signIn(offS);
      assert.equal(answer.status, 302, `${offS} ${JSON.stringify(answer.body)}`);
      assert.equal((await browser.whoAmI()).status, 200);
    }
  });
});
