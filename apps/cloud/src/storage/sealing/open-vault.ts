import { randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { SqlDialect } from '../engines/sql-dialect.ts';
import type { Database } from '../schema.ts';
import { StorageError } from '../storage-error.ts';
import { countSealed } from './count-sealed.ts';
import { SEAL_CONTEXTS } from './seal-contexts.ts';
import { createSealer, fingerprintOf, keyIdOf, type MasterKeys, type Sealer } from './sealer.ts';
import { createVault, derivedSecrets, type OwnSecrets, type Vault } from './vault.ts';

const SECRET_BYTES = 32;
const SECRET_NAMES = ['lookup', 'auditCheckpoint', 'deviceConfig'] as const satisfies (keyof OwnSecrets)[];

export interface OpenVault {
  readonly vault: Vault;
  readonly secrets: OwnSecrets;
  /** The first key of this database: values that name no key were sealed with it. */
  readonly firstKeyId: string;
}

/**
 * Checks that every sealed value can be opened, and opens the service's own secrets; creates them in a new database.
 * Throws `wrong_master_key`: stopping is better than rejecting every key as unknown.
 */
export async function openVault(
  db: Kysely<Database>,
  dialect: Pick<SqlDialect, 'lockForMigration'>,
  keys: MasterKeys,
  nowMs: number,
): Promise<OpenVault> {
  const sealer = createSealer(keys);
  return await db.transaction().execute(async (tx) => {
    await dialect.lockForMigration(tx);
    const first = await tx
      .selectFrom('meta')
      .select('value')
      .where('name', '=', 'master_key')
      .executeTakeFirst();
    const used = (await tx.selectFrom('master_keys').select('id').execute()).map((row) => row.id);
    const firstFingerprint = first?.value ?? fingerprintOf(keys.current);
    const firstKeyId = keyIdOf(firstFingerprint);
    if (first === undefined) {
      await tx.insertInto('meta').values({ name: 'master_key', value: firstFingerprint }).execute();
      await writeSecrets(tx, sealer, newSecrets());
    } else if (used.length === 0) {
      // Created by an earlier build, in which the secrets were derived from the master key.
      const firstKey = [keys.current, ...keys.previous].find((key) => fingerprintOf(key) === first.value);
      await writeSecrets(tx, sealer, derivedSecrets(firstKey ?? missing([firstKeyId], sealer)));
    } else await dropUnused(tx, sealer, used, firstKeyId);
    await tx
      .insertInto('master_keys')
      .values({ id: sealer.keyIds[0]!, first_used_at_ms: nowMs })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    const secrets = await readSecrets(tx, sealer);
    return { vault: createVault(sealer, secrets), secrets, firstKeyId };
  });
}

/** Forgets keys that were used here, are not provided now, and no longer protect any value. */
async function dropUnused(
  tx: Transaction<Database>,
  sealer: Sealer,
  used: readonly string[],
  firstKeyId: string,
): Promise<void> {
  const absent = used.filter((id) => !sealer.keyIds.includes(id));
  if (absent.length === 0) return;
  const counts = await countSealed(tx, firstKeyId);
  const needed = absent.filter((id) => counts.some((count) => count.keyId === id));
  if (needed.length > 0) missing(needed, sealer);
  await tx.deleteFrom('master_keys').where('id', 'in', absent).execute();
}

function missing(needed: readonly string[], sealer: Sealer): never {
  throw new StorageError(
    'wrong_master_key',
    `This database was encrypted with another master key: it needs key ${needed.join(' and ')}, but ${sealer.keyIds.join(', ')} was given. Set the missing key as GATEWAY_MASTER_KEY or GATEWAY_MASTER_KEY_FILE, or, during a key rotation, as GATEWAY_MASTER_KEY_PREVIOUS (docs/master-key.md); or start with an empty database.`,
  );
}

function newSecrets(): OwnSecrets {
  return {
    lookup: randomBytes(SECRET_BYTES),
    auditCheckpoint: randomBytes(SECRET_BYTES),
    deviceConfig: randomBytes(SECRET_BYTES),
  };
}

/** Other secrets would invalidate every token and every device's trust, so a missing one is fatal. */
async function readSecrets(tx: Transaction<Database>, sealer: Sealer): Promise<OwnSecrets> {
  const rows = await tx.selectFrom('own_secrets').selectAll().execute();
  const read = (name: keyof OwnSecrets): Buffer => {
    try {
      return sealer.openBytes(rows.find((row) => row.name === name)!.sealed, SEAL_CONTEXTS.ownSecret(name));
    } catch (cause) {
      throw new StorageError(
        'rejected',
        `The service's own secret "${name}" is missing from the database, or was changed (table own_secrets). Restore it from a backup.`,
        { cause },
      );
    }
  };
  return {
    lookup: read('lookup'),
    auditCheckpoint: read('auditCheckpoint'),
    deviceConfig: read('deviceConfig'),
  };
}

async function writeSecrets(tx: Transaction<Database>, sealer: Sealer, secrets: OwnSecrets): Promise<void> {
  await tx
    .insertInto('own_secrets')
    .values(
      SECRET_NAMES.map((name) => ({
        name,
        sealed: sealer.seal(secrets[name], SEAL_CONTEXTS.ownSecret(name)),
      })),
    )
    .execute();
}
