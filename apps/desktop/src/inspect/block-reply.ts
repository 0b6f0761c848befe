import type { Direction, ThreatType } from '@csg/shared/contract';
import type { Block, BlockReply, WireFormat } from '@csg/shared/providers';
import type { DecisionEvent } from './decision-event.ts';
import type { DevicePolicy } from './device-policy.ts';

const THREAT_NAMES: Readonly<Record<ThreatType, string>> = {
  prompt_injection: 'it contains instructions meant to override the assistant',
  instruction_override: 'it contains instructions meant to override the assistant',
  jailbreak: "it tries to disable the assistant's safeguards",
  system_prompt_leak: "it asks for the assistant's hidden instructions",
  indirect_prompt_injection: 'a document or tool result in it contains hidden instructions',
  pii_leak: 'it contains personal data',
  secret_leak: 'it contains a password, key or other secret',
  data_exfiltration: 'it would send data to another destination',
  malicious_script: 'it contains a harmful script',
  hidden_content: 'it contains hidden text',
  unsafe_tool_call: 'it contains an unsafe tool call',
  custom_policy: 'a policy of your organization does not allow it',
};

const NO_CERTIFICATE =
  'the agent had no certificate to inspect this connection; it tries again within seconds';

const UNREAD = 'your organization does not allow content that cannot be read';

function nameOf(threatType: ThreatType | null): string {
  return threatType === null ? 'a policy of your organization does not allow it' : THREAT_NAMES[threatType];
}

/** Completes "because …". Never quotes a match. */
export function reasonOf(event: Pick<DecisionEvent, 'threatType' | 'decidedBy' | 'note' | 'reason'>): string {
  if (event.reason === 'no_certificate') return NO_CERTIFICATE;
  if (event.reason === 'pinned') return 'the app does not accept the certificate of the agent';
  const threatName = event.reason === 'unread' ? UNREAD : nameOf(event.threatType);
  const isNoted = event.decidedBy === 'policy' || event.reason === null;
  return isNoted && event.note !== null ? `${threatName} (${event.note})` : threatName;
}

/** Returns the sentence for the user: why, and what to do. Never quotes a match. */
export function blockSentence(
  policy: Pick<DevicePolicy, 'requestUrl'>,
  direction: Direction,
  event: Pick<DecisionEvent, 'eventId' | 'threatType' | 'decidedBy' | 'note' | 'reason'>,
): string {
  const why = reasonOf(event);
  const subject = direction === 'input' ? 'This message was not sent' : 'The response was blocked';
  const hint = hintOf(policy, event);
  return `Content Security Agent: ${subject}, because ${why}. ${hint} (reference ${event.eventId}).`;
}

/** No exception covers what cannot be read. */
function hintOf(
  { requestUrl }: Pick<DevicePolicy, 'requestUrl'>,
  { eventId, reason }: Pick<DecisionEvent, 'eventId' | 'reason'>,
): string {
  if (reason === 'unread') return 'Send it as readable text, or ask your administrator';
  if (requestUrl === null) return 'Ask your administrator for an exception';
  return `Request an exception: ${requestLink(requestUrl, eventId)}`;
}

function requestLink(url: string, eventId: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}event=${encodeURIComponent(eventId)}`;
}

/** Returns the block reply in the provider's own format; if none is known, in the one that most clients can read. */
export function blockReplyOf(
  policy: Pick<DevicePolicy, 'requestUrl'>,
  format: WireFormat | null,
  direction: Direction,
  event: Pick<DecisionEvent, 'eventId' | 'threatType' | 'decidedBy' | 'note' | 'reason'>,
): BlockReply {
  const block = blockOf(policy, direction, event);
  if (format !== null) return format.rejectionOf(block);
  const { message } = block;
  const error = { type: 'content_filter', code: 'request_blocked', message, event_id: event.eventId };
  return {
    status: 403,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ error, detail: message, message }),
  };
}

/** Returns the content of a block reply, in any format. */
export function blockOf(
  policy: Pick<DevicePolicy, 'requestUrl'>,
  direction: Direction,
  event: Pick<DecisionEvent, 'eventId' | 'threatType' | 'decidedBy' | 'note' | 'reason'>,
): Block {
  return {
    message: blockSentence(policy, direction, event),
    eventId: event.eventId,
    ...(policy.requestUrl !== null && { dashboardUrl: requestLink(policy.requestUrl, event.eventId) }),
  };
}
