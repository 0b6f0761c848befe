import { jsonRejection, oneErrorFrame } from '../block-replies.ts';
import type { ErrorTable } from '../tables.ts';

/** Understood by the openai packages for chat completions and responses alike. */
export const openaiErrors: ErrorTable = {
  rejection: ({ message, eventId, dashboardUrl }) =>
    jsonRejection({
      error: {
        message,
        type: 'content_filter',
        param: null,
        code: 'request_blocked',
        event_id: eventId,
        ...(dashboardUrl === undefined ? {} : { dashboard_url: dashboardUrl }),
      },
    }),
  streamBlock: oneErrorFrame,
};
