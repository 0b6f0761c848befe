import {
  type CreateException,
  type CreateToolRequest,
  type DeviceEvent,
  type DeviceEventsReply,
  deviceEventsReplySchema,
  type EnrollRequest,
  type EnrollResponse,
  type ExceptionRecord,
  enrollResponseSchema,
  exceptionSchema,
  type Heartbeat,
  type HeartbeatReply,
  heartbeatReplySchema,
  hookReplySchema,
  type ManagedPolicy,
  managedPolicySchema,
  type ToolRequestRecord,
  toolRequestSchema,
  type UnenrollReply,
  unenrollReplySchema,
} from '@csg/shared/contract';
import type { HookReply } from '@csg/shared/providers';
import Type, { type TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { Agent, ProxyAgent, request } from 'undici';
import { certificateAuthorities } from './certificate-authorities.ts';

/** The outcome of a request. Never an exception: an unreachable service is normal for a device. */
export type ServiceOutcome<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** The service rejected the request. `message` is its own sentence. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly message: string }
  /** It is unknown whether the service received it. `reason` is a sentence for the user. */
  | { readonly kind: 'no-answer'; readonly reason: string };

export interface ReceivedConfig {
  /** As received; null: unchanged since `etag`. */
  readonly text: string | null;
  readonly etag: string | null;
}

export interface ServiceClient {
  enroll(body: EnrollRequest): Promise<ServiceOutcome<EnrollResponse>>;
  config(etag: string | null): Promise<ServiceOutcome<ReceivedConfig>>;
  sendEvents(events: readonly DeviceEvent[]): Promise<ServiceOutcome<DeviceEventsReply>>;
  heartbeat(heartbeat: Heartbeat): Promise<ServiceOutcome<HeartbeatReply>>;
  managedPolicy(): Promise<ServiceOutcome<ManagedPolicy>>;
  /** On `ok` the service has deleted the device and its credential. */
  unenroll(): Promise<ServiceOutcome<UnenrollReply>>;
  /** Returns the device's own exceptions, newest first. */
  exceptions(): Promise<ServiceOutcome<readonly ExceptionRecord[]>>;
  requestException(body: CreateException): Promise<ServiceOutcome<ExceptionRecord>>;
  cancelException(id: string): Promise<ServiceOutcome<ExceptionRecord>>;
  toolRequests(): Promise<ServiceOutcome<readonly ToolRequestRecord[]>>;
  requestTool(body: CreateToolRequest): Promise<ServiceOutcome<ToolRequestRecord>>;
  cancelToolRequest(id: string): Promise<ServiceOutcome<ToolRequestRecord>>;
  /** The reply has the form of the coding agent that sent the hook. */
  answerHook(body: object): Promise<ServiceOutcome<HookReply>>;
  close(): Promise<void>;
}

export interface ServiceClientOptions {
  /** URL of the service, with or without a path. */
  readonly url: string;
  /** The device credential; null before enrollment. */
  readonly apiKey: string | null;
  /** Deadline of any request. */
  readonly deadlineMs: number;
  /** The company's proxy, with user and password; null: direct. */
  readonly proxy?: string | null;
}

const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface ServiceResponse {
  readonly status: number;
  readonly text: string;
  readonly etag: string | null;
}

/** Calls the routes of docs/devices.md. Throws if `url` is not a valid URL. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const base = new URL(options.url).href.replace(/\/$/, '');
  const { host } = new URL(base);
  const connect = { ca: certificateAuthorities() };
  const dispatcher =
    options.proxy == null
      ? new Agent({ connect, maxResponseSize: MAX_RESPONSE_BYTES })
      : new ProxyAgent({
          uri: options.proxy,
          requestTls: connect,
          proxyTls: connect,
          maxResponseSize: MAX_RESPONSE_BYTES,
        });

  async function send(question: Question): Promise<ServiceOutcome<ServiceResponse>> {
    const signal = AbortSignal.timeout(options.deadlineMs);
    try {
      const response = await request(`${base}/api/v1${question.path}`, {
        dispatcher,
        signal,
        method: question.method,
        headers: {
          ...(question.body !== undefined && { 'content-type': 'application/json' }),
          ...(options.apiKey !== null && { 'x-api-key': options.apiKey }),
          ...question.headers,
        },
        body: question.body === undefined ? null : JSON.stringify(question.body),
      });
      const text = await response.body.text();
      const { statusCode: status } = response;
      if (status >= 300 && status !== 304) return rejectionOf(status, text, host);
      const etag = response.headers['etag'];
      return { kind: 'ok', value: { status, text, etag: typeof etag === 'string' ? etag : null } };
    } catch (error) {
      return noResponse(
        signal.aborted ? `The service ${host} did not respond in time.` : whyNot(error, host),
      );
    }
  }

  async function sendFor<T>(question: Question, schema: TSchema): Promise<ServiceOutcome<T>> {
    const outcome = await send(question);
    if (outcome.kind !== 'ok') return outcome;
    try {
      const value: unknown = JSON.parse(outcome.value.text);
      if (Check(schema, value)) return { kind: 'ok', value: value as T };
    } catch {
      // Reported below.
    }
    return noResponse(`The server at ${host} is not a Content Security Gateway.`);
  }

  return {
    enroll: (body) => sendFor({ method: 'POST', path: '/enroll', body }, enrollResponseSchema),
    async config(etag) {
      const headers: Record<string, string> = etag === null ? {} : { 'if-none-match': etag };
      const outcome = await send({ method: 'GET', path: '/devices/config', headers });
      if (outcome.kind !== 'ok') return outcome;
      const { status, text, etag: received } = outcome.value;
      return { kind: 'ok', value: { text: status === 304 ? null : text, etag: received ?? etag } };
    },
    sendEvents: (events) =>
      sendFor({ method: 'POST', path: '/devices/events', body: { events } }, deviceEventsReplySchema),
    managedPolicy: () => sendFor({ method: 'GET', path: '/devices/managed-policy' }, managedPolicySchema),
    unenroll: () => sendFor({ method: 'POST', path: '/devices/unenroll' }, unenrollReplySchema),
    heartbeat: (body) => sendFor({ method: 'POST', path: '/devices/heartbeat', body }, heartbeatReplySchema),
    exceptions: () => sendFor({ method: 'GET', path: '/exceptions' }, Type.Array(exceptionSchema)),
    requestException: (body) => sendFor({ method: 'POST', path: '/exceptions', body }, exceptionSchema),
    cancelException: (id) =>
      sendFor({ method: 'POST', path: `/exceptions/${encodeURIComponent(id)}/cancel` }, exceptionSchema),
    toolRequests: () => sendFor({ method: 'GET', path: '/tool-requests' }, Type.Array(toolRequestSchema)),
    requestTool: (body) => sendFor({ method: 'POST', path: '/tool-requests', body }, toolRequestSchema),
    cancelToolRequest: (id) =>
      sendFor({ method: 'POST', path: `/tool-requests/${encodeURIComponent(id)}/cancel` }, toolRequestSchema),
    answerHook: (body) => sendFor({ method: 'POST', path: '/agent/hooks', body }, hookReplySchema),
    close: () => dispatcher.destroy(),
  };
}

function noResponse(reason: string): { readonly kind: 'no-answer'; readonly reason: string } {
  return { kind: 'no-answer', reason };
}

/** A rate limit is not a rejection. */
function rejectionOf(status: number, text: string, host: string): ServiceOutcome<never> {
  if (status >= 500)
    return noResponse(`The service ${host} has an internal error (${status}). The agent tries again.`);
  if (status === 429 || status === 408)
    return noResponse(`The service ${host} is busy. The agent tries again.`);
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown } };
    if (typeof error?.code === 'string' && typeof error.message === 'string') {
      return { kind: 'refused', status, code: error.code, message: error.message };
    }
  } catch {
    // Not an error body of the service; handled below.
  }
  const message =
    status === 422
      ? `The service ${host} does not understand the request.`
      : `The server at ${host} is not a Content Security Gateway (${status}).`;
  return { kind: 'refused', status, code: 'unknown', message };
}

const CERTIFICATE_ERROR = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/;

function whyNot(error: unknown, host: string): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (CERTIFICATE_ERROR.test(code)) {
    return `The certificate of ${host} is not trusted (${code}). The connection may be intercepted, so nothing was sent.`;
  }
  return `The service ${host} cannot be reached (${code || message}).`;
}
