import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  isDamagedAmazonCredential,
  parseAmazonCredential,
} from '../../../../apps/cloud/src/upstream/amazon/credential.ts';

it('reads access keys with and without a region', () => {
  const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalr/K7+x=' };
  assert.deepEqual(parseAmazonCredential('AKIDEXAMPLE:wJalr/K7+x='), { ...keys, region: null });
  assert.deepEqual(parseAmazonCredential('AKIDEXAMPLE:wJalr/K7+x=:eu-west-1'), {
    ...keys,
    region: 'eu-west-1',
  });
});

it('rejects anything else, and any region that leads to another host', () => {
  for (const text of ['', 'ABSKQmVkcm9ja0FQSUtleQ==', 'a:', ':b', 'a:b:', 'a:b:c:d', 'a b:c'])
    assert.equal(parseAmazonCredential(text), null, text);
  for (const region of [
    'x.evil.example/',
    'x#',
    'EU',
    '-a',
    'a/b',
    '@evil.example',
    'us east',
    'europe',
    'eu-west',
    'eu-west-',
  ])
    assert.equal(parseAmazonCredential(`a:b:${region}`), null, region);
});

it('tells a damaged one from a key of another kind', () => {
  for (const text of ['AKIDEXAMPLE:wJalr', 'AKIAEXAMPLE:wJalr:eu-west-1', 'ABSKQmVkcm9ja0FQSUtleQ==', 'a:b'])
    assert.equal(isDamagedAmazonCredential(text), false, text);
  for (const text of [
    'AKIAEXAMPLE:wJalr:nowhere',
    'ASIAEXAMPLE:wJalr:evil.example',
    'AKIAEXAMPLE:',
    'AKIAEXAMPLE:a b',
  ])
    assert.equal(isDamagedAmazonCredential(text), true, text);
});
