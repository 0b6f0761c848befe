import type { MessagePort } from 'node:worker_threads';
import { type DatabaseLocation, openEngine } from '../engines/open-engine.ts';
import type { AuditReport } from '../model/audit.ts';
import { createSealer, type MasterKeys } from '../sealing/sealer.ts';
import { createVault, type OwnSecrets, type Vault } from '../sealing/vault.ts';
import { StorageError, type StorageErrorCode } from '../storage-error.ts';
import { createCheckpointFile } from './checkpoint-file.ts';
import { verifyChain } from './verify-chain.ts';

/** What a thread needs to open the database and to check signatures and seals. */
export interface VerifySource {
  readonly database: DatabaseLocation;
  /** Path. */
  readonly checkpointFile: string;
  readonly keys: MasterKeys;
  readonly secrets: OwnSecrets;
}

export type VerifyResult =
  | { readonly report: AuditReport }
  /** An error loses its class when it is sent to another thread. */
  | { readonly failed: { readonly code: StorageErrorCode; readonly message: string } };

export interface VerifyJob {
  readonly source: VerifySource;
  readonly organizationId: string;
  /** Receives each VerifyProgress. */
  readonly port: MessagePort;
}

/** Runs in a worker thread: verifies a chain over a connection of its own. */
export async function verifyInThread({ source, organizationId, port }: VerifyJob): Promise<VerifyResult> {
  try {
    const engine = await openEngine(source.database, () => {});
    try {
      const file = createCheckpointFile(source.checkpointFile);
      const deps = { db: engine.db, file, vault: vaultOf(source) };
      return { report: await verifyChain(deps, organizationId, (progress) => port.postMessage(progress)) };
    } finally {
      await engine.close();
    }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { failed: { code: error.code, message: error.message } };
  } finally {
    port.close();
  }
}

/** A `Buffer` arrives from another thread as a plain byte array. */
function vaultOf({ keys, secrets }: VerifySource): Vault {
  const { current, previous } = keys;
  const { lookup, auditCheckpoint, deviceConfig } = secrets;
  return createVault(
    createSealer({ current: Buffer.from(current), previous: previous.map((key) => Buffer.from(key)) }),
    {
      lookup: Buffer.from(lookup),
      auditCheckpoint: Buffer.from(auditCheckpoint),
      deviceConfig: Buffer.from(deviceConfig),
    },
  );
}
