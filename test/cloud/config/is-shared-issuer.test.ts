import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSharedIssuer } from '../../../apps/cloud/src/config/is-shared-issuer.ts';

const MICROSOFT = 'https://login.microsoftonline.com';

test('an issuer of one tenant or one customer is not shared', () => {
  for (const issuer of [
    `${MICROSOFT}/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0`,
    `${MICROSOFT}/contoso.onmicrosoft.com/v2.0`,
    'https://sts.windows.net/72F988BF-86F1-41AF-91AB-2D7CD011DB47/',
    'https://dev-1234.okta.com/oauth2/default',
    'https://auth.pingone.eu/2c4f1b9e-0000-4000-8000-000000000001/as',
    'https://login.example.com/realms/corp',
    'http://127.0.0.1:8080',
  ]) {
    assert.equal(isSharedIssuer(issuer), false, issuer);
  }
});

test('an issuer of several tenants, or of anyone, is shared, however it is written', () => {
  for (const issuer of [
    ...['common', 'organizations', 'consumers', 'COMMON', '/common', '%63ommon', ''].map(
      (tenant) => `${MICROSOFT}/${tenant}/v2.0`,
    ),
    MICROSOFT,
    `${MICROSOFT}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`,
    `${MICROSOFT}/9188040D-6C67-4C5B-B112-36A304B66DAD/v2.0`,
    `${MICROSOFT}/x/../common/v2.0`,
    'https://login.microsoftonline.com./common/v2.0',
    'https://LOGIN.microsoftonline.com/common',
    'https://sts.windows.net/common/',
    'https://accounts.google.com',
    'https://appleid.apple.com',
    'no address',
  ]) {
    assert.equal(isSharedIssuer(issuer), true, issuer);
  }
});
