import type { EndpointKind } from '@csg/shared/contract';
import {
  type DeliveryTarget,
  type Endpoint,
  type EndpointInput,
  type EndpointOf,
  endpointTable,
  type ProjectEndpoints,
  STORED_ENDPOINTS,
} from '../model/endpoints.ts';
import type { Database } from '../schema.ts';
import { addressContext, secretContext } from '../sealing/endpoint-contexts.ts';
import { openText, sealText } from '../sealing/sealed-text.ts';
import type { Vault } from '../sealing/vault.ts';
import { toFlag, toStorableText } from '../stored-values.ts';
import { omitUndefined } from './repository-deps.ts';

export type EndpointRow = Database['endpoints'];
type RowName = Pick<EndpointRow, 'id' | 'kind' | 'organization_id' | 'project_id'>;

const UNREADABLE = 'The webhook secret or address cannot be read, so nothing was sent. Set them anew.';

/** Returns the columns that a change sets. */
export function changedColumns(
  vault: Vault,
  row: RowName,
  change: Partial<EndpointInput<EndpointKind>>,
  before: Endpoint | null,
): Partial<EndpointRow> {
  const { url, isEnabled, events } = change;
  const stored = STORED_ENDPOINTS[row.kind];
  const names: readonly string[] = stored.details;
  const values = { ...before, ...omitUndefined(change) } as Readonly<Record<string, unknown>>;
  const details = Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
  const address = url === undefined ? (before?.url ?? null) : url;
  const isSealed = stored.sealsDetails === true;
  const plain = isSealed && address !== null ? JSON.stringify({ url: address, ...details }) : address;
  return omitUndefined({
    address: plain === null ? null : sealText(vault, toStorableText(plain), addressContext(row)),
    details: isSealed ? '{}' : toStorableText(JSON.stringify(details)),
    is_enabled: isEnabled === undefined ? undefined : toFlag(isEnabled),
    events: events == null ? events : JSON.stringify(events),
  });
}

export function newEndpointRow(row: RowName, atMs: number): EndpointRow {
  return {
    ...{ id: row.id, kind: row.kind, organization_id: row.organization_id, project_id: row.project_id },
    ...{ address: null, details: '{}', is_enabled: 0, events: null },
    ...{ sealed_secret: null, secret_at_ms: null, previous_sealed_secret: null, previous_until_ms: null },
    ...{ paused_at_ms: null, succeeded: 0, failed: 0, failures: 0, failing_since_ms: null },
    ...{ last_error: null, last_success_at_ms: null, last_failure_at_ms: null, created_at_ms: atMs },
  };
}

/** The address and what is sealed with it. Before it had a column, a policy endpoint said there that it is disabled. */
function openAddress(vault: Vault, row: RowName & Pick<EndpointRow, 'address' | 'is_enabled'>) {
  const isEnabled = row.is_enabled === 1;
  if (row.address === null) return { url: null, isEnabled, details: {} };
  const plain = openText(vault, row.address, addressContext(row));
  if (STORED_ENDPOINTS[row.kind].sealsDetails !== true) return { url: plain, isEnabled, details: {} };
  const { url, isEnabled: wasEnabled = true, ...details } = JSON.parse(plain);
  return { url: url as string, isEnabled: isEnabled && wasEnabled === true, details };
}

export function readEndpoint<K extends EndpointKind>(
  vault: Vault,
  row: EndpointRow,
  nowMs: number,
): EndpointOf<K> {
  const { url, isEnabled, details } = openAddress(vault, row);
  const previousUntilMs = (row.previous_until_ms ?? 0) > nowMs ? row.previous_until_ms : null;
  return {
    ...{ ...JSON.parse(row.details), ...details },
    ...endpointTable.read(row),
    ...{ url, isEnabled, previousUntilMs },
  } as EndpointOf<K>;
}

/** Returns what a decision calls, of the rows of one project. */
export function projectEndpoints(
  vault: Vault,
  rows: readonly (RowName & Pick<EndpointRow, 'address' | 'is_enabled' | 'events' | 'paused_at_ms'>)[],
): ProjectEndpoints {
  const webhooks = rows
    .filter(({ kind, is_enabled, address }) => kind === 'webhook' && is_enabled === 1 && address !== null)
    .map(({ id, events }) => ({ id, events: events === null ? null : (JSON.parse(events) as string[]) }));
  const row = rows.find(({ kind, paused_at_ms }) => kind === 'policy' && paused_at_ms === null);
  if (row === undefined) return { webhooks, policyWebhook: null };
  const { url, isEnabled, details } = openAddress(vault, row);
  const isCalled = url !== null && isEnabled;
  return { webhooks, policyWebhook: isCalled ? { id: row.id, url, ...details } : null };
}

/** The current secret, then the previous one while it is valid. */
export function secretsOf(
  vault: Vault,
  row: RowName & Pick<EndpointRow, 'sealed_secret' | 'previous_sealed_secret' | 'previous_until_ms'>,
  nowMs: number,
): string[] {
  const isPreviousValid = (row.previous_until_ms ?? 0) > nowMs;
  const sealed = [row.sealed_secret, isPreviousValid ? row.previous_sealed_secret : null];
  return sealed.flatMap((secret) => (secret === null ? [] : [vault.open(secret, secretContext(row))]));
}

/** One that was tampered with must neither block other deliveries nor lead to an unsigned body. */
export function deliveryTarget(vault: Vault, row: EndpointRow, nowMs: number): DeliveryTarget {
  try {
    const { url, isEnabled } = openAddress(vault, row);
    const { form } = JSON.parse(row.details) as Pick<DeliveryTarget, 'form'>;
    return { url, isEnabled, secrets: secretsOf(vault, row, nowMs), ...(form !== undefined && { form }) };
  } catch {
    return { url: null, isEnabled: row.is_enabled === 1, secrets: [], problem: UNREADABLE };
  }
}
