import type { EndpointOf, Notification } from '../../storage/storage.ts';

type Message = Pick<Notification, 'event' | 'text' | 'data' | 'createdAtMs'>;

const SUBJECT = 'Content Security Gateway: ';

/** Returns what a target is sent: a body in its form, or the email that goes to the outbox. */
export function notificationPayload(
  { form, organizationId }: Pick<EndpointOf<'notification'>, 'form' | 'organizationId'>,
  messages: readonly Message[],
): string {
  const text = messages.map((message) => message.text).join('\n');
  return JSON.stringify(bodyIn[form](messages, text, organizationId));
}

const bodyIn = {
  mail(messages: readonly Message[], text: string) {
    const [first = ''] = text.split('\n');
    const more = messages.length > 1 ? ` (and ${messages.length - 1} more)` : '';
    return { subject: `${SUBJECT}${first.slice(0, 120)}${more}`, text };
  },
  slack: (_: readonly Message[], text: string) => ({ text: escapeSlack(text) }),
  teams: (messages: readonly Message[]) => ({ type: 'message', attachments: [adaptiveCard(messages)] }),
  webhook(messages: readonly Message[], text: string, organizationId: string) {
    const [first] = messages;
    const timestamp = new Date(first!.createdAtMs).toISOString();
    const about = { text, timestamp, organization_id: organizationId };
    if (messages.length === 1) return { event: first!.event, ...about, data: first!.data };
    const notifications = messages.map(({ event, text, data }) => ({ event, text, data }));
    return { event: 'digest', ...about, notifications };
  },
};

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
      // A TextBlock would read the names in it as Markdown, links included.
      body: messages.flatMap(({ text, data: { url } }) => [
        { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] },
        ...(typeof url === 'string'
          ? [{ type: 'ActionSet', actions: [{ type: 'Action.OpenUrl', title: 'Open', url }] }]
          : []),
      ]),
    },
  };
}
