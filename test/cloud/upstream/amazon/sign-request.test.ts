import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { it } from 'node:test';
import { signRequest } from '../../../../apps/cloud/src/upstream/amazon/sign-request.ts';

const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG', region: null };
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Follows the specification of Signature Version 4, step by step. */
function signatureOf(path: string, body: Buffer, date: string, region: string): string {
  const day = date.slice(0, 8);
  const hash = sha256(body);
  const twice = path.split('/').map(encodeURIComponent).join('/');
  const headers = `content-type:application/json\nhost:bedrock.example:8443\nx-amz-content-sha256:${hash}\nx-amz-date:${date}\n`;
  const names = 'content-type;host;x-amz-content-sha256;x-amz-date';
  const canonical = ['POST', twice, '', headers, names, hash].join('\n');
  const scope = `${day}/${region}/bedrock/aws4_request`;
  const key = [day, region, 'bedrock', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${KEYS.secretAccessKey}`,
  );
  return hmac(key as Buffer, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
}

it('signs path, type and body as Amazon verifies them', async () => {
  const body = Buffer.from('{"messages":[]}');
  for (const path of ['/model/amazon.nova-lite-v1%3A0/converse', '/model/arn%3Aaws%3Abedrock%2Fx/invoke']) {
    const list = await signRequest(KEYS, 'eu-west-1', {
      ...{ origin: 'https://bedrock.example:8443', path, method: 'POST' },
      ...{ contentType: 'application/json', body },
    });
    const headers = Object.fromEntries(
      Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i]!, list[2 * i + 1]!]),
    );
    assert.deepEqual(Object.keys(headers).sort(), ['authorization', 'x-amz-content-sha256', 'x-amz-date']);
    const due = signatureOf(path, body, headers['x-amz-date']!, 'eu-west-1');
    assert.match(
      headers['authorization']!,
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/bedrock\/aws4_request, /,
    );
    assert.equal(headers['authorization']!.split('Signature=')[1], due);
  }
});
