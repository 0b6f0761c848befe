import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errors } from 'undici';
import { AddressDenied } from '../../../apps/cloud/src/outbound/address-denied.ts';
import {
  PROVIDER_ERRORS,
  type ProviderErrorReason,
  providerError,
  readProviderErrorReason,
} from '../../../apps/cloud/src/upstream/provider-error.ts';

const coded = (code: string): Error => Object.assign(new Error('connect to 10.1.2.3:443 failed'), { code });

describe('providerError', () => {
  for (const reason of Object.keys(PROVIDER_ERRORS) as ProviderErrorReason[]) {
    it(`${reason} is a provider_error that never reads as our own failure`, () => {
      const error = providerError({ name: 'acme', label: 'Acme' }, reason, coded('ECONNREFUSED'));
      assert.equal(error.code, 'provider_error');
      assert.ok([502, 503, 504].includes(error.status));
      assert.deepEqual(error.fields, { provider: 'acme', reason });
      assert.match(error.message, /^Acme .*\.$/);
      assert.doesNotMatch(error.message, /10\.1\.2\.3/);
    });
  }
});

describe('readProviderErrorReason', () => {
  const ROWS: [unknown, boolean, ProviderErrorReason][] = [
    [coded('ENOTFOUND'), false, 'unresolvable'],
    [coded('EAI_AGAIN'), false, 'unresolvable'],
    [coded('ECONNREFUSED'), false, 'refused'],
    [coded('EHOSTUNREACH'), false, 'unreachable'],
    [coded('ENETUNREACH'), false, 'unreachable'],
    [coded('ETIMEDOUT'), false, 'timeout'],
    [new errors.ConnectTimeoutError(), false, 'timeout'],
    [new errors.HeadersTimeoutError(), false, 'timeout'],
    [new errors.BodyTimeoutError(), true, 'timeout'],
    [new errors.HeadersOverflowError(), false, 'bad_response'],
    [new errors.HTTPParserError('x'), false, 'bad_response'],
    [new errors.HTTPParserError('x'), true, 'bad_response'],
    [Object.assign(new errors.HTTPParserError('x'), { code: 'HPE_INVALID_EOF_STATE' }), true, 'truncated'],
    [new errors.ResponseContentLengthMismatchError(), true, 'truncated'],
    [new errors.SocketError('other side closed'), false, 'reset'],
    [new errors.SocketError('other side closed'), true, 'truncated'],
    [coded('ECONNRESET'), false, 'reset'],
    [coded('ECONNRESET'), true, 'truncated'],
    [coded('EPIPE'), false, 'reset'],
    [coded('EPROTO'), false, 'tls'],
    [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), false, 'tls'],
    [coded('SELF_SIGNED_CERT_IN_CHAIN'), false, 'tls'],
    [coded('CERT_HAS_EXPIRED'), false, 'tls'],
    [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), false, 'tls'],
    [coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), false, 'tls'],
    [coded('ERR_TLS_CERT_ALTNAME_INVALID'), false, 'tls'],
    [coded('ERR_SSL_WRONG_VERSION_NUMBER'), false, 'tls'],
    [coded('EMFILE'), false, 'busy'],
    [new AddressDenied('private_address'), false, 'address_not_allowed'],
    [new AddressDenied('unresolvable'), false, 'unresolvable'],
    [new Error('something new'), false, 'unreachable'],
    [null, true, 'truncated'],
  ];
  for (const [error, answering, fault] of ROWS) {
    const name =
      error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);
    it(`${name}${answering ? ' during the answer' : ''} is ${fault}`, () => {
      assert.equal(readProviderErrorReason(error, answering), fault);
    });
  }
});
