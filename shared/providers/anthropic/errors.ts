import { jsonRejection, oneErrorFrame } from '../block-replies.ts';
import type { ErrorTable } from '../tables.ts';

export const anthropicErrors: ErrorTable = {
  rejection: ({ message, eventId, dashboardUrl }) =>
    jsonRejection({
      type: 'error',
      error: {
        type: 'permission_error',
        message,
        code: 'request_blocked',
        event_id: eventId,
        ...(dashboardUrl === undefined ? {} : { dashboard_url: dashboardUrl }),
      },
      request_id: eventId,
    }),
  streamBlock: oneErrorFrame,
};
