import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isPublicAddress } from '../../../apps/cloud/src/outbound/public-address.ts';

const quad = fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 0, max: 255 })));
const hex = (a: number, b: number): string => ((a << 8) | b).toString(16);
const property = (holds: (octets: number[]) => boolean): void =>
  fc.assert(
    fc.property(quad, (octets) => holds(octets)),
    { seed: 20_261, numRuns: 2_000 },
  );

describe('isPublicAddress', () => {
  it('accepts addresses of ordinary hosts', () => {
    for (const text of [
      '1.1.1.1',
      '8.8.8.8',
      '93.184.215.14',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '2a00:1450::1',
    ]) {
      assert.equal(isPublicAddress(text), true, text);
    }
  });

  it('rejects text that is no address', () => {
    for (const text of [
      '',
      'example.com',
      '1.1.1',
      '1.1.1.1.',
      '0x1.1.1.1',
      '[2606:4700::1]',
      '2606:4700::1%eth0',
      '1.1.1.1/8',
    ]) {
      assert.equal(isPublicAddress(text), false, text);
    }
  });

  it('rejects every address of the inner ranges', () => {
    property(([, b, c, d]) => {
      const rest = `${b}.${c}.${d}`;
      return [`10.${rest}`, `127.${rest}`, `0.${rest}`, `169.254.${c}.${d}`, `192.168.${c}.${d}`].every(
        (text) => !isPublicAddress(text),
      );
    });
  });

  it('rejects every IPv6 address that embeds an IPv4 address, even a public one', () => {
    property(([a = 0, b = 0, c = 0, d = 0]) => {
      const [high, low] = [hex(a, b), hex(c, d)];
      return [
        `::ffff:${high}:${low}`,
        `::${high}:${low}`,
        `::ffff:0:${high}:${low}`,
        `64:ff9b::${high}:${low}`,
        `64:ff9b:1::${high}:${low}`,
        `2002:${high}:${low}::1`,
        `2001:0:${high}:${low}::1`,
        `2606:4700::5efe:${high}:${low}`,
      ].every((text) => !isPublicAddress(text));
    });
  });
});
