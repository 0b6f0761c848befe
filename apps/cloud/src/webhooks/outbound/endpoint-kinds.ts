import {
  type EndpointKind,
  NOTIFICATION_EVENTS,
  ownEndpointId,
  POLICY_VERDICT_EVENT,
  POLICY_WEBHOOK_TIMEOUT_MS,
  WEBHOOK_EVENTS,
} from '@csg/shared/contract';
import type { DeliveryContent, EndpointDetails, EndpointOf } from '../../storage/storage.ts';
import { askPolicy } from '../policy-endpoint/ask-policy.ts';
import type { EndpointCall, EndpointClient, EndpointResponse } from './endpoint-client.ts';
import { newDelivery } from './new-delivery.ts';
import { notificationPayload } from './notification-payload.ts';

/** Whose endpoints of a kind are, what can be set, and how they are called. */
interface KindRow<K extends EndpointKind> {
  /** What people call it. */
  readonly name: string;
  /** Beginning of the kinds of its audit rows. */
  readonly audit: string;
  /** What the row of a new one ends with. */
  readonly added: 'added' | 'created' | 'changed';
  readonly owner: 'project' | 'organization';
  /** How many each owner has at most. */
  readonly most: number;
  /** The first one of an owner has the id `ownEndpointId`. */
  readonly hasOwnId: boolean;
  /** Those that can be chosen from; empty: it is sent all. */
  readonly events: readonly string[];
  /** What it is created with if nothing else is said. */
  readonly defaults: EndpointDetails<K>;
  /** Whether bodies are signed with a secret of its own, if the plan includes signing. */
  hasSecret(endpoint: EndpointDetails<K>): boolean;
  /** What its audit rows say of it. */
  recorded(endpoint: Pick<EndpointOf<K>, 'url' | 'isEnabled' | 'events'> & EndpointDetails<K>): AuditData;
  /** A decision waits for a synchronous call, which is recorded only if it fails; the others are queued. */
  readonly way: 'queued' | 'synchronous';
  /** After the first failure, the second, and so on; the next one is final. */
  readonly retryDelaysMs: readonly number[];
  /** The id of the endpoint whose secret signs bodies; null: they are not signed. */
  signedBy(endpoint: EndpointOf<K>): string | null;
  /** Makes a synchronous call; the error says why the answer cannot be used. */
  ask?(
    client: Pick<EndpointClient, 'send'>,
    endpoint: EndpointOf<K>,
    call: Pick<EndpointCall, 'secrets' | 'body' | 'isTest'>,
  ): Promise<Pick<EndpointResponse, 'status' | 'error'>>;
  /** What it is sent when an admin tests it. */
  test(endpoint: EndpointOf<K>, about: { readonly atMs: number; readonly eventId: string }): DeliveryContent;
}

type AuditData = Readonly<Record<string, string | boolean | null | readonly string[]>>;

/** The specification's, for all that is queued. */
const RETRY_DELAYS_MS = [30_000, 120_000, 600_000];
const TESTED = 'This is a test. Nothing was detected or blocked.';

const ROWS: { readonly [K in EndpointKind]: KindRow<K> } = {
  webhook: {
    name: 'webhook',
    ...{ audit: 'webhook', added: 'added' },
    ...{ owner: 'project', most: 20, hasOwnId: true, events: WEBHOOK_EVENTS, defaults: {} },
    hasSecret: () => true,
    recorded: ({ isEnabled }) => ({ webhook_enabled: isEnabled }),
    way: 'queued',
    retryDelaysMs: RETRY_DELAYS_MS,
    signedBy: ({ id }) => id,
    test: ({ projectId }, { atMs, eventId }) => ({
      ...newDelivery({
        ...{ event: 'threat.detected', eventId, atMs, projectId: projectId ?? '' },
        data: {
          ...{ event_id: eventId, decision: 'allow', threat_type: 'prompt_injection', confidence: 0 },
          reason: 'A test of this webhook. Nothing was detected or blocked.',
        },
      }),
    }),
  },
  policy: {
    name: 'policy endpoint',
    ...{ audit: 'policy_webhook', added: 'changed' },
    ...{ owner: 'project', most: 1, hasOwnId: true, events: [] },
    defaults: { failMode: 'open', timeoutMs: POLICY_WEBHOOK_TIMEOUT_MS },
    hasSecret: () => false,
    recorded: ({ isEnabled, failMode }) => ({ enabled: isEnabled, fail_mode: failMode }),
    way: 'synchronous',
    retryDelaysMs: [],
    async ask(client, { url, timeoutMs }, call) {
      const asked = await askPolicy(client, { ...call, url: url ?? '', timeoutMs });
      const unknown = asked.verdict === 'invalid' ? 'The response has an unknown verdict.' : null;
      return { status: asked.status, error: asked.verdict === 'error' ? asked.error : unknown };
    },
    signedBy: ({ projectId }) => ownEndpointId('webhook', projectId ?? ''),
    test: ({ projectId }, { eventId }) => {
      const question = { content: TESTED, direction: 'input', model: '', event_id: eventId };
      const payload = JSON.stringify({ ...question, threats_detected: [] });
      return { projectId, event: POLICY_VERDICT_EVENT, eventId, payload };
    },
  },
  notification: {
    name: 'notification target',
    ...{ audit: 'notification_target', added: 'created' },
    ...{ owner: 'organization', most: 50, hasOwnId: false, events: NOTIFICATION_EVENTS },
    defaults: { form: 'webhook', digest: null, quietHours: null },
    hasSecret: ({ form }) => form === 'webhook',
    recorded: ({ form, events }) => ({ kind: form, events }),
    way: 'queued',
    retryDelaysMs: RETRY_DELAYS_MS,
    signedBy: ({ id }) => id,
    test: (endpoint, { atMs }) => ({
      ...{ projectId: null, event: 'request.waiting', eventId: null },
      payload: notificationPayload(endpoint, [
        {
          ...{ event: 'request.waiting', data: { test: true }, createdAtMs: atMs },
          text: 'This is a test of your notifications. No action is needed.',
        },
      ]),
    }),
  },
  audit: {
    name: 'audit target',
    ...{ audit: 'audit_target', added: 'changed' },
    ...{ owner: 'organization', most: 1, hasOwnId: true, events: [], defaults: {} },
    hasSecret: () => false,
    recorded: ({ url }) => ({ has_target: url !== null }),
    way: 'queued',
    retryDelaysMs: RETRY_DELAYS_MS,
    signedBy: () => null,
    test: ({ organizationId }, { atMs }) => {
      const about = { timestamp: new Date(atMs).toISOString(), organization_id: organizationId };
      const payload = JSON.stringify({ event: 'audit.checkpoint', ...about, data: { test: true } });
      return { projectId: null, event: 'audit.checkpoint', eventId: null, payload };
    },
  },
};

export const endpointRow = <K extends EndpointKind>(kind: K): KindRow<K> => ROWS[kind];
