import { X509Certificate } from 'node:crypto';
import type * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';
import { TimestampError } from './timestamp-error.ts';

const TIMESTAMPING = '1.3.6.1.5.5.7.3.8';
const GRANTED: ReadonlySet<number> = new Set([0, 1]);

export type TrustedCertificates = readonly pkijs.Certificate[];

/** Reads the certificates of a PEM file, which may have several. */
export function readCertificates(pem: string): TrustedCertificates {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new TimestampError('The certificate file contains no certificate.');
  return blocks.map((block) => pkijs.Certificate.fromBER(new Uint8Array(new X509Certificate(block).raw)));
}

/** Returns the token of a response. */
export function readToken(response: Uint8Array): Buffer {
  const { status, timeStampToken } = parse(() => pkijs.TimeStampResp.fromBER(response));
  if (!GRANTED.has(status.status)) {
    const reason = status.statusStrings?.map(({ valueBlock }) => valueBlock.value).join(' ') ?? '';
    throw new TimestampError(`The authority declined with status ${status.status}. ${reason}`.trim());
  }
  if (timeStampToken === undefined) throw new TimestampError('The response contains no token.');
  return Buffer.from(timeStampToken.toSchema().toBER());
}

/** Returns the time at which an authority with a trusted certificate signed the data. `nonce`: the request's. */
export async function verifyToken(
  token: Uint8Array,
  data: Uint8Array,
  trusted: TrustedCertificates,
  nonce?: Uint8Array,
): Promise<number> {
  const signed = parse(
    () => new pkijs.SignedData({ schema: pkijs.ContentInfo.fromBER(token).content as asn1js.Sequence }),
  );
  if (
    signed.encapContentInfo.eContentType !== pkijs.id_eContentType_TSTInfo ||
    signed.signerInfos.length !== 1
  )
    throw new TimestampError('The token is not a time stamp with one signature.');
  const info = parse(() => pkijs.TSTInfo.fromBER(signed.encapContentInfo.eContent!.getValue()));
  if (
    nonce !== undefined &&
    !Buffer.from(nonce).equals(info.nonce?.valueBlock.valueHexView ?? Buffer.alloc(0))
  )
    throw new TimestampError('The token belongs to another request.');
  const { signatureVerified, signerCertificate } = await verifySignature(signed, data, trusted);
  if (signatureVerified !== true) throw new TimestampError('The signature of the token is not valid.');
  const signer = new X509Certificate(Buffer.from(signerCertificate!.toSchema().toBER()));
  if (!signer.keyUsage?.includes(TIMESTAMPING))
    throw new TimestampError('The certificate of the signer is not for time stamps.');
  return info.genTime.getTime();
}

/** Also compares the digest of the data: the library does this for tokens of this kind. */
async function verifySignature(signed: pkijs.SignedData, data: Uint8Array, trusted: TrustedCertificates) {
  try {
    return await signed.verify({
      signer: 0,
      data: new Uint8Array(data).buffer,
      trustedCerts: [...trusted],
      checkChain: true,
      extendedMode: true,
    });
  } catch (error) {
    throw new TimestampError(`The token could not be verified: ${(error as Error).message}`, error);
  }
}

function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new TimestampError('The response is not a time stamp.', error);
  }
}
