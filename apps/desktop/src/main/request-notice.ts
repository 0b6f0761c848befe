import type { ExceptionRecord, ToolRequestRecord } from '@csg/shared/contract';
import type { Notice } from './decision-notices.ts';

/** The notification about a decided request; null if the user already knows. */
export function requestNotice(request: ExceptionRecord | ToolRequestRecord): Notice | null {
  const host = 'destination_host' in request ? request.destination_host : request.requested_host;
  const reason = request.decision_reason === null ? '' : ` "${request.decision_reason}"`;
  const page = '#/requests';
  if (request.status === 'denied') {
    return {
      title: `Denied: ${host}`,
      body: `Your administrator denied the request.${reason}`,
      page,
      actions: [],
    };
  }
  if (request.status === 'expired') {
    return { title: `Expired: ${host}`, body: 'Your exception has expired.', page, actions: [] };
  }
  if (request.status !== 'approved') return null;
  const until = 'expires_at' in request && request.expires_at !== null ? new Date(request.expires_at) : null;
  const body =
    until === null
      ? `You can use it now.${reason}`
      : `Approved until ${until.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}.${reason}`;
  return { title: `Approved: ${host}`, body, page, actions: [] };
}
