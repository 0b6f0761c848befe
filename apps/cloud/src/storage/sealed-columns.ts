import { PLACES } from './sealed-places.ts';
import { openText, sealText } from './sealed-text.ts';
import type { Sealer } from './sealer.ts';
import { StorageError } from './storage-error.ts';

/** A column whose values are sealed, and how one is sealed anew. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** How people call what stands there. */
  readonly name: string;
  /** The primary key, in order. */
  readonly key: readonly string[];
  /** Values are base64 in a column of text. */
  readonly isText?: true;
  /** Further columns that `reseal` reads. */
  readonly beside?: readonly string[];
  /** Throws where the value does not open. */
  reseal(row: Row, vault: ResealingVault): Buffer | string;
}

// biome-ignore lint/suspicious/noExplicitAny: rows of any of these tables.
export type Row = Readonly<Record<string, any>>;
export type ResealingVault = Omit<Sealer, 'keyIds'>;

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

function sealedText(
  table: string,
  column: string,
  name: string,
  key: string,
  place: (id: string) => string,
): SealedColumn {
  return {
    table,
    column,
    name,
    key: [key],
    isText: true,
    reseal: (row, vault) => sealText(vault, openText(vault, row[column], place(row[key])), place(row[key])),
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
  sealedText('projects', 'webhook_url', 'addresses of receivers', 'id', PLACES.webhookUrl),
  sealedText('projects', 'policy_webhook', 'policy webhooks', 'id', PLACES.policyWebhook),
  sealedText('audit_targets', 'url', 'audit targets', 'organization_id', PLACES.auditTarget),
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
