/**
 * Module timestamps: asks an authority (RFC 3161) to sign the time at which a digest existed. The operator configures
 * the authority, so it may be in their own network. No text and no id is sent: an authority gets a digest only.
 */
import { hash, randomBytes } from 'node:crypto';
import * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';
import { request } from 'undici';
import { guardedDispatcher } from '../outbound/guarded-connector.ts';
import { TimestampError } from './timestamp-error.ts';
import { readCertificates, readToken, verifyToken } from './verify-timestamp.ts';

export interface Timestamp {
  /** Time given by the authority. */
  readonly atMs: number;
  /** The signed token, DER in base64: `openssl ts -verify -token_in` reads it. */
  readonly token: string;
}

export interface TimestampAuthority {
  /** Throws TimestampError. */
  stamp(data: string): Promise<Timestamp>;
  /** Returns the time that a token proves for the data. Throws TimestampError. */
  verify(data: string, token: string): Promise<number>;
  close(): Promise<void>;
}

const SHA256 = '2.16.840.1.101.3.4.2.1';
const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 65_536;
/** Maximum difference to the local clock: beyond it one of the two clocks is wrong. */
const MAX_SKEW_MS = 600_000;

export function createTimestampAuthority(options: {
  readonly url: string;
  /** PEM of the trusted certificates, to which tokens must chain. */
  readonly certificates: string;
  readonly now: () => number;
}): TimestampAuthority {
  const trusted = readCertificates(options.certificates);
  const dispatcher = guardedDispatcher({ allowPrivate: true, connectTimeoutMs: TIMEOUT_MS });
  return {
    async stamp(data) {
      const nonce = makeNonce();
      const token = readToken(await post(encodeRequest(data, nonce)));
      const atMs = await verifyToken(token, Buffer.from(data), trusted, nonce);
      const skewMs = Math.abs(atMs - options.now());
      if (skewMs > MAX_SKEW_MS) {
        throw new TimestampError(
          `The time of the authority differs by ${Math.round(skewMs / 1_000)} s from the clock of this service.`,
        );
      }
      return { atMs, token: token.toString('base64') };
    },
    verify: (data, token) => verifyToken(Buffer.from(token, 'base64'), Buffer.from(data), trusted),
    close: () => dispatcher.close(),
  };

  async function post(body: Buffer): Promise<Buffer> {
    try {
      const response = await request(options.url, {
        dispatcher,
        method: 'POST',
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      });
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > MAX_RESPONSE_BYTES)
          throw new TimestampError('The response of the authority is too large.');
        chunks.push(chunk);
      }
      if (response.statusCode !== 200)
        throw new TimestampError(`The authority responded with status ${response.statusCode}.`);
      return Buffer.concat(chunks);
    } catch (error) {
      if (error instanceof TimestampError) throw error;
      throw new TimestampError('The authority could not be reached.', error);
    }
  }
}

/** Returns a positive integer of eight bytes, in its only DER encoding. */
function makeNonce(): Buffer {
  const nonce = randomBytes(8);
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  return nonce;
}

function encodeRequest(data: string, nonce: Buffer): Buffer {
  const hashAlgorithm = new pkijs.AlgorithmIdentifier({
    algorithmId: SHA256,
    algorithmParams: new asn1js.Null(),
  });
  const digest = hash('sha256', data, 'buffer');
  const query = new pkijs.TimeStampReq({
    version: 1,
    messageImprint: new pkijs.MessageImprint({
      hashAlgorithm,
      hashedMessage: new asn1js.OctetString({ valueHex: new Uint8Array(digest).buffer }),
    }),
    nonce: new asn1js.Integer({ valueHex: new Uint8Array(nonce).buffer }),
    certReq: true,
  });
  return Buffer.from(query.toSchema().toBER());
}
