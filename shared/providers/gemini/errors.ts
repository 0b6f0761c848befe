import { failureFrame, jsonRejection, oneErrorFrame } from '../block-replies.ts';
import type { ErrorTable } from '../tables.ts';

/** As Google's interfaces say that something is not allowed; their package shows the whole of it. */
const denied = (message: string) => ({ error: { code: 403, message, status: 'PERMISSION_DENIED' } });

export const geminiErrors: ErrorTable = {
  rejection: ({ message }) => jsonRejection(denied(message)),
  // With the last frame alone the package would show an empty response.
  streamBlock: (block) => `data: ${JSON.stringify(denied(block.message))}\n\n${oneErrorFrame(block)}`,
  streamError(failure) {
    const error = { code: failure.status, message: failure.error.message, status: 'UNAVAILABLE' };
    return `data: ${JSON.stringify({ error })}\n\n${failureFrame(failure)}`;
  },
};
