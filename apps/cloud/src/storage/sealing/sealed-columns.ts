import { StorageError } from '../storage-error.ts';
import { addressContext, secretContext } from './endpoint-contexts.ts';
import { SEAL_CONTEXTS } from './seal-contexts.ts';
import { openText, sealText } from './sealed-text.ts';
import type { Sealer } from './sealer.ts';

/** A column of sealed values, and how to reseal a value. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Display name of the values. */
  readonly name: string;
  /** Columns of the primary key, in order. */
  readonly key: readonly string[];
  /** The column is text and contains base64. */
  readonly isText?: true;
  /** Further columns that `reseal` reads. */
  readonly beside?: readonly string[];
  /** Throws if the value cannot be opened. */
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
  context: (row: Row) => string,
): SealedColumn {
  return {
    table,
    column,
    name,
    key,
    reseal: (row, vault) => vault.seal(vault.openBytes(row[column], context(row)), context(row)),
  };
}

const ENDPOINT_NAME = ['kind', 'organization_id', 'project_id'];
const endpointSecret = (row: Row) => secretContext(row as never);

/** All columns sealed with the master key, in the order in which a key change processes them. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  sealed('own_secrets', 'sealed', 'secrets of the service', ['name'], (row) =>
    SEAL_CONTEXTS.ownSecret(row['name']),
  ),
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
  sealed('keys', 'sealed', 'service keys and device credentials', ['id'], (row) =>
    SEAL_CONTEXTS.key(row['id']),
  ),
  sealed(
    'provider_credentials',
    'sealed',
    'provider credentials',
    ['project_id', 'provider', 'name'],
    (row) => SEAL_CONTEXTS.providerCredential(row['project_id'], row['provider'], row['name']),
  ),
  sealed('mcp_servers', 'sealed', 'addresses and headers of MCP servers', ['project_id', 'name'], (row) =>
    SEAL_CONTEXTS.mcpServer(row['project_id'], row['name']),
  ),
  {
    ...{ table: 'endpoints', column: 'address', name: 'addresses of endpoints', key: ['id'], isText: true },
    beside: ENDPOINT_NAME,
    reseal(row, vault) {
      const context = addressContext(row as never);
      return sealText(vault, openText(vault, row['address'], context), context);
    },
  },
  {
    ...sealed('endpoints', 'sealed_secret', 'webhook secrets', ['id'], endpointSecret),
    beside: ENDPOINT_NAME,
  },
  {
    ...sealed('endpoints', 'previous_sealed_secret', 'webhook secrets of before', ['id'], endpointSecret),
    beside: ENDPOINT_NAME,
  },
  sealed('second_factors', 'sealed', 'second factors', ['user_id'], (row) =>
    SEAL_CONTEXTS.secondFactor(row['user_id']),
  ),
  sealed('sso_providers', 'sealed_secret', 'client secrets of single sign-on', ['organization_id'], (row) =>
    SEAL_CONTEXTS.ssoSecret(row['organization_id']),
  ),
  sealed('mails', 'sealed_text', 'texts of emails', ['id'], (row) => SEAL_CONTEXTS.email(row['id'])),
  sealed('scrape_pages', 'sealed_result', 'results of scraping', ['job_id', 'number'], (row) =>
    SEAL_CONTEXTS.scrapePage(row['job_id'], row['number']),
  ),
  sealed('requests', 'sealed_detail', 'arguments of tool calls', ['id'], (row) =>
    SEAL_CONTEXTS.requestDetail(row['id']),
  ),
  sealed('idempotency_records', 'body', 'stored responses', ['key_id', 'idempotency_key'], (row) =>
    SEAL_CONTEXTS.idempotentResponse(row['key_id'], row['idempotency_key']),
  ),
];
