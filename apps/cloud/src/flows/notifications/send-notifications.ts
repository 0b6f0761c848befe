import type { Notification, NotificationTarget, Storage } from '../../storage/storage.ts';
import type { WebhookSender } from '../../webhooks/outbound/webhook-sender.ts';
import type { Clock } from '../clock.ts';

export interface SendNotificationsDeps {
  readonly storage: Pick<Storage, 'notifications' | 'emails'>;
  readonly sender: WebhookSender;
  readonly clock: Clock;
}

type Message = Pick<Notification, 'id' | 'event' | 'text' | 'data' | 'createdAtMs'>;

const MAX_AT_ONCE = 500;
const MAX_ONE_BY_ONE = 20;
/** Longer than sending this many messages can take. */
const LEASE_MS = 120_000;
const RETRY_DELAYS_MS: readonly number[] = [30_000, 120_000, 600_000];
const SUBJECT = 'Content Security Gateway: ';

/** Sends due notifications. Failed ones are retried, and given up after the fourth attempt. */
export async function sendNotifications(deps: SendNotificationsDeps): Promise<void> {
  const claimed = await deps.storage.notifications.claim(MAX_AT_ONCE, LEASE_MS);
  const byTarget = Map.groupBy(claimed, ({ targetId }) => targetId);
  await Promise.all(
    [...byTarget].map(async ([targetId, messages]) => {
      const target = await deps.storage.notifications.getTarget(targetId);
      if (target === null) return;
      // Many simultaneous messages become one, even without a digest, because people do not read them one by one.
      const isDigest = target.digest !== null || messages.length > MAX_ONE_BY_ONE;
      const groups = isDigest ? [messages] : messages.map((message) => [message]);
      for (const group of groups) await sendGroup(deps, target, group);
    }),
  );
}

async function sendGroup(
  deps: SendNotificationsDeps,
  target: NotificationTarget,
  messages: readonly Notification[],
): Promise<void> {
  const { notifications } = deps.storage;
  const error = await sendTo(deps, target, messages);
  await notifications.noteResult(target.id, error);
  const isOver = ({ attempts }: Notification) => error === null || attempts > RETRY_DELAYS_MS.length;
  await notifications.remove(messages.filter(isOver).map(({ id }) => id));
  const again = messages.filter((message) => !isOver(message));
  const attempts = Math.max(1, ...again.map((message) => message.attempts));
  await notifications.postpone(
    again.map(({ id }) => id),
    deps.clock.now() + (RETRY_DELAYS_MS[attempts - 1] ?? 0),
  );
}

/** Returns null if delivered, else one sentence for the admin who maintains the target. */
export async function sendTo(
  { storage, sender }: SendNotificationsDeps,
  target: NotificationTarget,
  messages: readonly Message[],
): Promise<string | null> {
  const [first] = messages;
  if (first === undefined) return null;
  const text = messages.map((message) => message.text).join('\n');
  if (target.kind === 'mail') {
    const [subject = ''] = text.split('\n');
    const more = messages.length > 1 ? ` (and ${messages.length - 1} more)` : '';
    await storage.emails.add({
      organizationId: target.organizationId,
      kind: 'notification',
      to: target.address,
      subject: `${SUBJECT}${subject.slice(0, 120)}${more}`,
      text,
    });
    return null;
  }
  const { error } = await sender.send({
    url: target.address,
    body: JSON.stringify(bodyFor(target, messages, text)),
    event: messages.length > 1 ? 'digest' : first.event,
    deliveryId: first.id,
    isTest: false,
    secrets: target.secret === null ? [] : [target.secret],
  });
  return error;
}

function bodyFor(
  { kind, organizationId }: NotificationTarget,
  messages: readonly Message[],
  text: string,
): object {
  if (kind === 'slack') return { text: escapeSlack(text) };
  if (kind === 'teams') return { type: 'message', attachments: [adaptiveCard(messages)] };
  const [first] = messages;
  const timestamp = new Date(first!.createdAtMs).toISOString();
  const about = { text, timestamp, organization_id: organizationId };
  if (messages.length === 1) return { event: first!.event, ...about, data: first!.data };
  const notifications = messages.map((message) => ({
    event: message.event,
    text: message.text,
    data: message.data,
  }));
  return { event: 'digest', ...about, notifications };
}

/** User-chosen names must not become a mention of a whole channel. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function adaptiveCard(messages: readonly Message[]): object {
  return {
    contentType: 'application/vnd.microsoft.card.adaptive',
    content: {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: messages.map(({ text }) => ({ type: 'TextBlock', text, wrap: true })),
    },
  };
}
