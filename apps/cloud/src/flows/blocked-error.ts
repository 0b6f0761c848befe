import { CodedError } from '@csg/shared/contract';
import type { WireFormat } from '@csg/shared/providers';
import { type Conversation, paramOf } from '@csg/shared/text';
import type { Evaluation } from './decision/evaluate.ts';
import type { Links } from './links.ts';

/** The threat category is only in the headers; the message gives the reason and the position. */
export function blockedError(
  links: Links,
  code: 'request_blocked' | 'response_blocked',
  evaluation: Evaluation,
  conversation: Conversation = { slots: [], messages: [] },
): CodedError {
  const position = blockedPosition(evaluation, conversation);
  const what = code === 'request_blocked' ? 'request' : 'answer';
  return new CodedError(code, {
    message: `${blockMessage(what, evaluation)}${position?.sentence ?? ''}`,
    fields: {
      ...(position === null ? {} : { param: position.param }),
      event_id: evaluation.eventId,
      dashboard_url: links.event(evaluation.eventId),
      ...reviewFields(evaluation),
    },
  });
}

/** Returns the frames that end a blocked stream. `sent`: the part of the response that was already sent. */
export function blockedStream(format: WireFormat, evaluation: Evaluation, sent = ''): string {
  const block = {
    message: blockMessage('answer', evaluation),
    eventId: evaluation.eventId,
    fields: reviewFields(evaluation),
  };
  return format.streamBlockOf(block, sent);
}

/** Returns the review a client has to wait for, if a tool call is under review. */
export function reviewFields({ verdict: { review } }: Evaluation): {
  readonly review_required?: boolean;
  readonly review_id?: string;
} {
  if (review === undefined) return {};
  return { review_required: review.isRequired, ...(review.id !== null && { review_id: review.id }) };
}

/** Returns the position of the text or part that caused the block; null if there is no single one. */
function blockedPosition(
  { verdict }: Evaluation,
  { slots, messages }: Conversation,
): { readonly param: string; readonly sentence: string } | null {
  const slot = verdict.blockedSlot === undefined ? undefined : slots[verdict.blockedSlot];
  const path = verdict.unread?.path ?? slot?.parts?.[0]?.path ?? slot?.path ?? '';
  const param = paramOf(path);
  if (param === null) return null;
  const message = slot && messages.find((one) => one.slots.includes(slot));
  const position = message && paramOf(message.position.path);
  const where = position ? `${position} (${message.role})` : param;
  return { param, sentence: ` It was found in ${where}; see dashboard_url for details.` };
}

function blockMessage(what: 'request' | 'answer', evaluation: Evaluation): string {
  const reason = evaluation.verdict.threats.find((threat) => threat.type === evaluation.threatType)?.details;
  const subject = what === 'request' ? 'This request' : "The model's response";
  return `${subject} was blocked by the content security policy.${reason === undefined ? '' : ` ${reason}`}`;
}
