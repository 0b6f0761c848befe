import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AmazonCredential } from './credential.ts';

export interface RequestToSign {
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  readonly method: string;
  readonly contentType: string;
  readonly body: Buffer | Uint8Array | null;
}

/** The headers of Signature Version 4, as a flat list of names and values. */
export async function signRequest(
  { accessKeyId, secretAccessKey }: AmazonCredential,
  region: string,
  { origin, path, method, contentType, body }: RequestToSign,
): Promise<string[]> {
  const url = new URL(origin + path);
  const signer = new SignatureV4({
    credentials: { accessKeyId, secretAccessKey },
    region,
    service: 'bedrock',
    sha256: Sha256,
  });
  const signed = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { host: url.host, 'content-type': contentType },
    body: body ?? '',
  });
  // These two are sent already: the host by the connection, the type as the client wrote it.
  const { host: _, 'content-type': __, ...added } = signed.headers;
  return Object.entries(added).flat();
}

/** Node's SHA-256 with the interface that the signer requires. */
class Sha256 {
  readonly #hash: Hash | Hmac;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }
  update(data: Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {
    throw new Error('a hash is used once');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array | string {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
