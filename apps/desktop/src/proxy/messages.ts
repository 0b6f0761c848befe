import type { DecisionEvent } from '../inspect/decision-event.ts';
import type { DevicePolicy } from '../inspect/device-policy.ts';
import type { KeptAnswer } from '../inspect/text-memory.ts';

/**
 * Messages between the agent and the proxy process over the IPC channel of `spawn`. Plain data, every message has a
 * `type`. The proxy exits when the channel closes: it never outlives the agent.
 */
export type ToProxy =
  /** The first message, repeated whenever its contents change. The proxy listens after the first. */
  | { readonly type: 'configure'; readonly config: ProxyConfig }
  /** The reply to `need-leaf`. Null: there will be none, and the host is not opened. */
  | { readonly type: 'leaf'; readonly host: string; readonly leaf: LeafCertificate | null }
  /** Answers that passed in earlier processes. */
  | { readonly type: 'answered'; readonly answers: readonly KeptAnswer[] }
  /** The reply is `health`. */
  | { readonly type: 'ping'; readonly id: number }
  /** Open connections get this long to finish. */
  | { readonly type: 'shutdown'; readonly graceMs: number };

export type FromProxy =
  | { readonly type: 'ready'; readonly port: number }
  /** No certificate for this host is cached, or it expires soon. */
  | { readonly type: 'need-leaf'; readonly host: string }
  | { readonly type: 'event'; readonly event: DecisionEvent }
  /** Digests of an answer that passed, to be known in later processes. */
  | { readonly type: 'answered'; readonly digests: readonly string[] }
  | ({ readonly type: 'health'; readonly id: number } & ProxyHealth)
  /** The proxy cannot listen or cannot use the configuration. `message` is a sentence for the user. */
  | { readonly type: 'fault'; readonly code: ProxyErrorCode; readonly message: string };

export type ProxyErrorCode = 'port_taken' | 'cannot_listen' | 'bad_config' | 'bad_upstream_proxy';

export interface ProxyHealth {
  readonly openConnections: number;
  readonly requests: number;
  readonly blocked: number;
  readonly redacted: number;
  readonly noResponses: number;
}

export interface ProxyConfig {
  /** 0: any port. Read once. */
  readonly port: number;
  readonly policy: DevicePolicy;
  /** The service for verdicts; null: the device evaluates alone. Never written to disk. */
  readonly service: { readonly url: string; readonly apiKey: string; readonly proxy?: string | null } | null;
  /** Deadline for a verdict, after which the device decides. */
  readonly guardDeadlineMs: number;
  /** `http://user:password@host:port` or https; null: direct. */
  readonly upstreamProxy: string | null;
  /** Address or path of the company's PAC file, which takes precedence; null: there is none. Read once. */
  readonly upstreamPac: string | null;
  /** Hosts that bypass the upstream proxy. */
  readonly upstreamProxyBypass: readonly string[];
  /** Additional roots (PEM) for the certificates of providers: test providers, corporate proxies. */
  readonly upstreamCa: readonly string[];
  /** The host of probes: the proxy itself responds to `GET /` on it. */
  readonly probeHost: string;
  /** Served as `/proxy.pac`, so that it is unavailable without the proxy; null: there is none. */
  readonly pac: string | null;
  /** Identifies our own requests, to detect a loop. */
  readonly loopToken: string;
}

/** PEM. `chain` starts with the leaf. */
export interface LeafCertificate {
  readonly chain: string;
  readonly key: string;
  readonly notAfterMs: number;
}
