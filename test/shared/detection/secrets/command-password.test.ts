import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piiSpans } from '@csg/shared/detection';

const found = (text: string) =>
  piiSpans(text, ['api_key']).map(({ start, end, rule }) => `${rule} ${text.slice(start, end)}`);

test("finds the password among a command's options", () => {
  for (const [text, password] of [
    ['curl -u deploy:Vf83kLq92mZx https://api.acme.io/x', 'Vf83kLq92mZx'],
    ['curl --user admin:s3cr3tXy https://api.acme.io/x', 's3cr3tXy'],
    ['curl -sSu "anna:two words 2" -X POST https://api.acme.io', 'two words 2'],
    ['curl \\\n  --silent \\\n  --proxy-user=anna:tr0ub4dor https://api.acme.io', 'tr0ub4dor'],
  ] as const)
    assert.deepEqual(found(text), [`secret.command-password ${password}`], text);
});

test('ignores variables, placeholders and other commands', () => {
  for (const text of [
    'curl -u $USER:$PASS https://x.acme.io',
    `curl -u "\${USER}:\${PASS}" https://x.acme.io`,
    'curl -u user:password https://x.acme.io',
    'curl -u myuser:mypassword https://x.acme.io',
    'curl -u elastic:changeme https://x.acme.io',
    'curl -u <user>:<password> https://x.acme.io',
    'curl -u "user: " https://x.acme.io',
    'docker run -u 1000:1000 image',
    'curl https://x.acme.io -o file:name',
  ])
    assert.deepEqual(found(text), [], text);
});
