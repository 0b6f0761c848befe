import type { ExceptionRecord, ToolRequestRecord } from './approvals.ts';
import type { Heartbeat } from './device-reports.ts';

/** One JSON object per text frame. Receivers ignore unknown types. */
export type ServiceMessage =
  | { readonly type: 'config-changed'; readonly policy_version: string }
  | { readonly type: 'exception-decided'; readonly exception: ExceptionRecord }
  | { readonly type: 'tool-request-decided'; readonly tool_request: ToolRequestRecord }
  | { readonly type: 'revoked' };

export type DeviceMessage = { readonly type: 'heartbeat' } & Heartbeat;

/** Close codes of the service, in addition to those of RFC 6455. */
export const CHANNEL_CLOSE = {
  /** The credential is revoked: do not reconnect with it. */
  revoked: 4001,
  /** The same device opened a newer channel. */
  replaced: 4002,
  /** Too many messages. */
  tooMany: 4008,
} as const;
