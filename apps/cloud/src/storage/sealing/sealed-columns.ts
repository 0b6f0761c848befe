import { StorageError } from '../storage-error.ts';
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

function sealedText(
  table: string,
  column: string,
  name: string,
  key: string,
  context: (id: string) => string,
): SealedColumn {
  return {
    table,
    column,
    name,
    key: [key],
    isText: true,
    reseal: (row, vault) =>
      sealText(vault, openText(vault, row[column], context(row[key])), context(row[key])),
  };
}

const webhookContext = (row: Row) => SEAL_CONTEXTS.webhookSecret(row['project_id']);

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
  sealed('webhook_secrets', 'sealed', 'webhook secrets', ['project_id'], webhookContext),
  sealed('webhook_secrets', 'previous_sealed', 'webhook secrets of before', ['project_id'], webhookContext),
  sealedText('projects', 'webhook_url', 'addresses of receivers', 'id', SEAL_CONTEXTS.webhookUrl),
  sealedText('webhooks', 'url', 'addresses of further receivers', 'id', SEAL_CONTEXTS.webhookUrl),
  sealed('webhooks', 'sealed_secret', 'secrets of further webhooks', ['id'], (row) =>
    SEAL_CONTEXTS.webhookSecret(row['id']),
  ),
  sealed('webhooks', 'previous_sealed_secret', 'secrets of further webhooks of before', ['id'], (row) =>
    SEAL_CONTEXTS.webhookSecret(row['id']),
  ),
  sealedText('projects', 'policy_webhook', 'policy webhooks', 'id', SEAL_CONTEXTS.policyWebhook),
  sealedText('audit_targets', 'url', 'audit targets', 'organization_id', SEAL_CONTEXTS.auditTarget),
  sealed('second_factors', 'sealed', 'second factors', ['user_id'], (row) =>
    SEAL_CONTEXTS.secondFactor(row['user_id']),
  ),
  sealed('sso_providers', 'sealed_secret', 'client secrets of single sign-on', ['organization_id'], (row) =>
    SEAL_CONTEXTS.ssoSecret(row['organization_id']),
  ),
  sealedText(
    'notification_targets',
    'address',
    'addresses of notifications',
    'id',
    SEAL_CONTEXTS.notificationTarget,
  ),
  sealed('notification_targets', 'sealed_secret', 'secrets of notifications', ['id'], (row) =>
    SEAL_CONTEXTS.notificationSecret(row['id']),
  ),
  sealed('mails', 'sealed_text', 'texts of emails', ['id'], (row) => SEAL_CONTEXTS.email(row['id'])),
  sealed('scrape_pages', 'sealed_result', 'results of scraping', ['job_id', 'number'], (row) =>
    SEAL_CONTEXTS.scrapePage(row['job_id'], row['number']),
  ),
  sealed('tool_reviews', 'sealed_arguments', 'arguments of tool calls', ['id'], (row) =>
    SEAL_CONTEXTS.toolReviewArguments(row['id']),
  ),
  sealed('idempotency_records', 'body', 'stored responses', ['key_id', 'idempotency_key'], (row) =>
    SEAL_CONTEXTS.idempotentResponse(row['key_id'], row['idempotency_key']),
  ),
];
