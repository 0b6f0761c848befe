import type { ExceptionRecord, ToolRequestRecord } from '@csg/shared/contract';
import type { Notice } from './decision-notices.ts';

/** What a person is told when somebody decided what they asked for; null: nothing new to them. */
export function requestNotice(request: ExceptionRecord | ToolRequestRecord): Notice | null {
  const where = 'destination_host' in request ? request.destination_host : request.requested_host;
  const reason = request.decision_reason === null ? '' : ` "${request.decision_reason}"`;
  const page = '#/requests';
  if (request.status === 'denied') {
    return {
      title: `Not allowed: ${where}`,
      body: `Your administrator said no.${reason}`,
      page,
      actions: [],
    };
  }
  if (request.status === 'expired') {
    return { title: `Ended: ${where}`, body: 'Your exception has run out.', page, actions: [] };
  }
  if (request.status !== 'approved') return null;
  const until = 'expires_at' in request && request.expires_at !== null ? new Date(request.expires_at) : null;
  const body =
    until === null
      ? `You may use it from now on.${reason}`
      : `Until ${until.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}.${reason}`;
  return { title: `Allowed: ${where}`, body, page, actions: [] };
}
