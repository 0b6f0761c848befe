import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { startGateway } from '../../support/gateway.ts';

const SAMPLES = {
  email: ['ada@example.com', '[EMAIL]'],
  phone: ['+1 415 555 2671', '[PHONE]'],
  ssn: ['123-45-6789', '[SSN]'],
  credit_card: ['4111 1111 1111 1111', '[CREDIT_CARD]'],
  api_key: [`AKIA${'IOSFODNN7'}${'QWERTYU'}`, '[API_KEY]'],
  ip_address: ['192.0.2.77', '[IP_ADDRESS]'],
} as const;

test('redact replaces each type by its placeholder, alone or with all others', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  const redact = (body: object) => readAnswer(gateway.call('POST', '/api/v1/security/redact', { body }));
  const texts: Record<keyof typeof SAMPLES, string> = {
    email: 'Write to ada@example.com today.',
    phone: 'Call me at +1 415 555 2671 today.',
    ssn: 'My SSN is 123-45-6789 today.',
    credit_card: 'Charge card 4111 1111 1111 1111 today.',
    api_key: `The api key is ${SAMPLES.api_key[0]} today.`,
    ip_address: 'The server is at 192.0.2.77 today.',
  };
  const whole = Object.values(texts).join('\n');
  for (const [type, [sample, placeholder]] of Object.entries(SAMPLES)) {
    const text = texts[type as keyof typeof SAMPLES];
    const alone = await redact({ content: whole, pii_types: [type] });
    assert.deepEqual(alone.body['piiFound'], [type]);
    assert.equal(alone.body['redacted'], whole.replace(sample, placeholder), 'other personal data stays');
    assert.equal((await redact({ content: text })).body['redacted'], text.replace(sample, placeholder));
  }
  const all = await redact({ content: whole });
  assert.equal(all.body['original'], whole);
  assert.deepEqual([...(all.body['piiFound'] as string[])].sort(), Object.keys(SAMPLES).sort());
  assert.equal(all.headers.get('x-service-decision'), 'redact');
  assert.equal(all.headers.get('x-service-threat-type'), 'pii_leak');
  assert.deepEqual((await redact({ content: whole, pii_types: [] })).status, 200);
});
