import type { EndpointKind, NotificationEvent, NotificationKind, ProjectWebhook } from '@csg/shared/contract';

type WebhookEvent = NonNullable<ProjectWebhook['events']>[number];
interface Choice<T extends string> {
  value: T;
  label: string;
}

interface KindLooks {
  readonly label: string;
  readonly about: string;
  readonly placeholder: string;
  readonly isOfProject: boolean;
}

/** Kinds that people add on the page; others are listed under their name. */
export const KINDS: Readonly<Partial<Record<EndpointKind, KindLooks>>> = {
  webhook: {
    label: 'Webhook',
    about: 'Your service is sent what happens in a project.',
    placeholder: 'https://hooks.example.com/gateway',
    isOfProject: true,
  },
  policy: {
    label: 'Policy endpoint',
    about: 'Your service is asked in each scan of a project; the stricter verdict applies.',
    placeholder: 'https://policy.example.com/verdict',
    isOfProject: true,
  },
  notification: {
    label: 'Notification target',
    about: 'People are told when a request waits, or a device or webhook fails.',
    placeholder: 'https://hooks.example.com/…',
    isOfProject: false,
  },
  audit: {
    label: 'Audit target',
    about: 'Receives each signed checkpoint. Keep these where your administrators have no write access.',
    placeholder: 'https://archive.example.com/checkpoints',
    isOfProject: false,
  },
};

const WEBHOOK_EVENTS: Choice<WebhookEvent>[] = [
  { value: 'threat.blocked', label: 'Blocked threats' },
  { value: 'threat.detected', label: 'Detected threats' },
  { value: 'pii.redacted', label: 'Redactions' },
  { value: 'usage.threshold', label: 'Usage thresholds' },
  { value: 'usage.overage', label: 'Overage' },
];
const NOTIFICATION_EVENTS: Choice<NotificationEvent>[] = [
  { value: 'request.waiting', label: 'A request needs approval' },
  { value: 'request.decided', label: 'A request was decided' },
  { value: 'device.gave_up', label: 'Protection of a device is off' },
  { value: 'device.silent', label: 'A device is not reporting' },
  { value: 'webhook.failing', label: 'A webhook fails' },
  { value: 'blocks.burst', label: 'A burst of blocks' },
  { value: 'quota', label: 'The quota is used up' },
  { value: 'audit.failed', label: 'The audit log fails verification' },
];
const EVENTS: Readonly<Partial<Record<EndpointKind, Choice<string>[]>>> = {
  webhook: WEBHOOK_EVENTS,
  notification: NOTIFICATION_EVENTS,
};
export const eventsOf = (kind: EndpointKind): Choice<string>[] => EVENTS[kind] ?? [];
export const FORMS: Choice<NotificationKind>[] = [
  { value: 'mail', label: 'Email' },
  { value: 'slack', label: 'Slack' },
  { value: 'teams', label: 'Microsoft Teams' },
  { value: 'webhook', label: 'Webhook' },
];
export const DIGESTS = [
  { value: '', label: 'Immediately' },
  { value: 'hourly', label: 'One message per hour' },
  { value: 'daily', label: 'One message per day' },
];

export const labelOf = (choices: readonly Choice<string>[], value: string): string | undefined =>
  choices.find((one) => one.value === value)?.label;
