import { type KeyObject, sign, verify } from 'node:crypto';
import type { Checkpoint } from '../model/audit.ts';
import type { Vault } from '../sealing/vault.ts';
import { CHECKPOINT_FORMAT, canonicalBytes } from './canonical.ts';

type Unsigned = Omit<Checkpoint, 'signature'>;

function signedBytes(checkpoint: Unsigned): Buffer {
  return Buffer.from(
    canonicalBytes(CHECKPOINT_FORMAT, [
      checkpoint.organizationId,
      checkpoint.number,
      checkpoint.seq,
      checkpoint.hash,
      checkpoint.atMs,
      checkpoint.fileId,
      checkpoint.keyId,
    ]),
  );
}

export function signCheckpoint(vault: Vault, fields: Omit<Unsigned, 'keyId'>): Checkpoint {
  const unsigned = { ...fields, keyId: vault.signingKeyId };
  return { ...unsigned, signature: sign(null, signedBytes(unsigned), vault.signingKey).toString('base64') };
}

/** True if this key signed the checkpoint and its fields are encoded exactly as this service writes them. */
export function isGenuine(
  checkpoint: Checkpoint,
  key: { publicKey: KeyObject; signingKeyId: string },
): boolean {
  if (checkpoint.keyId !== key.signingKeyId) return false;
  const signature = Buffer.from(checkpoint.signature, 'base64');
  if (signature.length !== 64 || signature.toString('base64') !== checkpoint.signature) return false;
  return verify(null, signedBytes(checkpoint), key.publicKey, signature);
}

/** One line of the checkpoint file and of an export. */
export function checkpointToLine(checkpoint: Checkpoint): string {
  return `${JSON.stringify({
    type: 'checkpoint',
    format: CHECKPOINT_FORMAT,
    algorithm: 'Ed25519',
    organization_id: checkpoint.organizationId,
    number: checkpoint.number,
    seq: checkpoint.seq,
    hash: checkpoint.hash,
    at_ms: checkpoint.atMs,
    file_id: checkpoint.fileId,
    key_id: checkpoint.keyId,
    signature: checkpoint.signature,
  })}\n`;
}

const LINE_MEMBERS = 'algorithm,at_ms,file_id,format,hash,key_id,number,organization_id,seq,signature,type';

/** Returns null if the value is not a checkpoint of this format, with exactly its members. */
export function lineToCheckpoint(value: unknown): Checkpoint | null {
  if (typeof value !== 'object' || value === null) return null;
  const line = value as Record<string, unknown>;
  if (Object.keys(line).sort().join() !== LINE_MEMBERS) return null;
  if (
    line['type'] !== 'checkpoint' ||
    line['format'] !== CHECKPOINT_FORMAT ||
    line['algorithm'] !== 'Ed25519'
  ) {
    return null;
  }
  const numbers = [line['number'], line['seq'], line['at_ms']];
  const texts = [line['organization_id'], line['hash'], line['file_id'], line['key_id'], line['signature']];
  if (!numbers.every(Number.isSafeInteger) || !texts.every((text) => typeof text === 'string')) return null;
  return {
    organizationId: line['organization_id'] as string,
    number: line['number'] as number,
    seq: line['seq'] as number,
    hash: line['hash'] as string,
    atMs: line['at_ms'] as number,
    fileId: line['file_id'] as string,
    keyId: line['key_id'] as string,
    signature: line['signature'] as string,
  };
}
