import { PLACES } from './sealed-places.ts';
import { StorageError } from './storage-error.ts';
import type { Vault } from './vault.ts';

/** A column whose values are sealed, and how one is sealed anew. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** How people call what stands there. */
  readonly name: string;
  /** The primary key, in order. */
  readonly key: readonly string[];
  /** Further columns that `reseal` reads. */
  readonly beside?: readonly string[];
  /** Throws where the value does not open. */
  reseal(row: Row, vault: ResealingVault): Buffer;
}

// biome-ignore lint/suspicious/noExplicitAny: rows of any of these tables.
export type Row = Readonly<Record<string, any>>;
export type ResealingVault = Pick<Vault, 'seal' | 'openBytes' | 'headSeal' | 'checkHeadSeal'>;

function sealed(
  table: string,
  column: string,
  name: string,
  key: readonly string[],
  place: (row: Row) => string,
): SealedColumn {
  return {
    table,
    column,
    name,
    key,
    reseal: (row, vault) => vault.seal(vault.openBytes(row[column], place(row)), place(row)),
  };
}

const webhookPlace = (row: Row) => PLACES.webhookSecret(row['project_id']);

/** Every place where something is sealed with the master key: a change of the key goes through them in this order. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  sealed('own_secrets', 'sealed', 'secrets of the service', ['name'], (row) => PLACES.ownSecret(row['name'])),
  {
    table: 'audit_heads',
    column: 'seal',
    name: 'heads of audit chains',
    key: ['organization_id'],
    beside: ['seq', 'hash'],
    reseal(row, vault) {
      const hash = row['hash'].toString('hex');
      const { organization_id: organizationId, seq } = row;
      if (vault.checkHeadSeal(row['seal'], organizationId, seq, hash) === 'genuine') {
        return vault.headSeal(organizationId, seq, hash);
      }
      throw new StorageError('rejected', 'The head was not written by this service.');
    },
  },
  sealed('keys', 'sealed', 'service keys and device credentials', ['id'], (row) => PLACES.key(row['id'])),
  sealed('provider_credentials', 'sealed', 'provider credentials', ['project_id', 'provider'], (row) =>
    PLACES.providerCredential(row['project_id'], row['provider']),
  ),
  sealed('webhook_secrets', 'sealed', 'webhook secrets', ['project_id'], webhookPlace),
  sealed('webhook_secrets', 'previous_sealed', 'webhook secrets of before', ['project_id'], webhookPlace),
  sealed('second_factors', 'sealed', 'second factors', ['user_id'], (row) =>
    PLACES.secondFactor(row['user_id']),
  ),
  sealed('mails', 'sealed_text', 'texts of mails', ['id'], (row) => PLACES.mail(row['id'])),
  sealed('scrape_pages', 'sealed_result', 'results of scraping', ['job_id', 'number'], (row) =>
    PLACES.scrapePage(row['job_id'], row['number']),
  ),
  sealed('idempotency_records', 'body', 'answers kept for repeats', ['key_id', 'idempotency_key'], (row) =>
    PLACES.idempotentAnswer(row['key_id'], row['idempotency_key']),
  ),
];
