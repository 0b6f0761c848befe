import { failureFrame, jsonRejection, oneErrorFrame } from '../block-replies.ts';
import type { ErrorTable } from '../tables.ts';

/** Google's error for something that is not allowed; its package shows it completely. */
const denied = (message: string) => ({ error: { code: 403, message, status: 'PERMISSION_DENIED' } });

export const geminiErrors: ErrorTable = {
  rejection: ({ message }) => jsonRejection(denied(message)),
  // With the last frame alone the package would show an empty response.
  streamBlock: (block) => `data: ${JSON.stringify(denied(block.message))}\n\n${oneErrorFrame(block)}`,
  keepsCode: true,
  streamError(failure) {
    const { message, status = 'UNAVAILABLE', details } = failure.error;
    const error = { code: failure.status, message, status, details };
    return `data: ${JSON.stringify({ error })}\n\n${failureFrame(failure)}`;
  },
};
