/**
 * The service as a device sees it: may be slow, gone or malfunctioning, and must never delay an app past the deadline.
 * Called by the proxy and the agent. Decides nothing.
 */
import { type GuardResponse, guardResponseSchema } from '@csg/shared/contract';
import { Compile, type Validator } from 'typebox/schema';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { GuardOutcome, NoResponseReason, RequestGuard } from '../inspect/device-policy.ts';
import { DeadlineError, postJson, ResponseSizeError } from './post-json.ts';

export interface GuardClientOptions {
  /** URL of the service, without a path. */
  readonly url: string;
  /** The device credential. */
  readonly apiKey: string;
  /** PEM, for a service with its own certificate. */
  readonly ca?: string;
  /** The company's proxy, with user and password; null: direct. */
  readonly proxy?: string | null;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
}

/** After this many consecutive failures requests pause, so that no caller waits for an unreachable service. */
const FAILURES_TO_OPEN = 3;
const OPEN_MS = 5_000;
/** Larger than any verdict. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

export interface GuardClient {
  readonly request: RequestGuard;
  close(): Promise<void>;
}

export function createGuardClient(options: GuardClientOptions): GuardClient {
  const url = new URL(options.url);
  const connect = options.ca === undefined ? {} : { ca: options.ca };
  const pool: Dispatcher =
    options.proxy == null
      ? new Pool(url.origin, { connections: 16, pipelining: 1, connect })
      : new ProxyAgent({ uri: options.proxy, connections: 16, requestTls: connect });
  const path = `${url.pathname.replace(/\/$/, '')}/api/v1/guard`;
  const headers = { 'content-type': 'application/json', 'x-api-key': options.apiKey };
  let validator: Validator | null = null;
  let failures = 0;
  let openUntilMs = 0;

  const failed = (reason: NoResponseReason): GuardOutcome => {
    failures++;
    if (failures >= FAILURES_TO_OPEN) openUntilMs = options.now() + OPEN_MS;
    return { kind: 'no-answer', reason };
  };

  return {
    async request(question, deadlineMs) {
      if (options.now() < openUntilMs) return { kind: 'no-answer', reason: 'unreachable' };
      try {
        const { status, text } = await postJson(pool, {
          origin: url.origin,
          path,
          headers,
          body: JSON.stringify(question),
          deadlineMs,
          maxResponseBytes: MAX_RESPONSE_BYTES,
        });
        // The service is reachable but rejects the request: a spent quota, a revoked device, a body that is too large.
        if (status !== 200 && status < 500) return { kind: 'no-answer', reason: 'refused' };
        if (status !== 200) return failed('overloaded');
        const response: unknown = JSON.parse(text);
        validator ??= Compile(guardResponseSchema);
        if (!validator.Check(response)) return failed('invalid');
        failures = 0;
        return outcomeOf(response as GuardResponse);
      } catch (error) {
        return failed(reasonOf(error));
      }
    },
    close: () => pool.destroy(),
  };
}

function reasonOf(error: unknown): NoResponseReason {
  if (error instanceof DeadlineError) return 'timeout';
  return error instanceof SyntaxError || error instanceof ResponseSizeError ? 'invalid' : 'unreachable';
}

/** A service that fails open reports that its engine could not run. The engine on this computer can. */
function outcomeOf(response: GuardResponse): GuardOutcome {
  const isScanned = !response.unscanned.some(
    ({ reason }: { readonly reason: string }) => reason === 'engine_unavailable',
  );
  return isScanned ? { kind: 'verdict', response } : { kind: 'no-answer', reason: 'not_scanned' };
}
