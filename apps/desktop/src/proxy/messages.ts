import type { DecisionEvent } from '../inspect/decision-event.ts';
import type { DevicePolicy } from '../inspect/device-policy.ts';

/**
 * What agent and proxy process say to one another over the IPC channel of `spawn`. Plain data, every message has a
 * `type`. The proxy ends when the channel does: it never outlives the agent.
 */
export type ToProxy =
  /** The first message, and again whenever anything in it changes. The proxy listens after the first. */
  | { readonly type: 'configure'; readonly config: ProxyConfig }
  /** The answer to `need-leaf`. Null: there will be none, and the host is not opened. */
  | { readonly type: 'leaf'; readonly host: string; readonly leaf: LeafCertificate | null }
  /** Answered by `health`. */
  | { readonly type: 'ping'; readonly id: number }
  /** Open connections get this long to finish. */
  | { readonly type: 'shutdown'; readonly graceMs: number };

export type FromProxy =
  | { readonly type: 'ready'; readonly port: number }
  /** A certificate for this host is needed and none is at hand, or it ends soon. */
  | { readonly type: 'need-leaf'; readonly host: string }
  | { readonly type: 'event'; readonly event: DecisionEvent }
  | ({ readonly type: 'health'; readonly id: number } & ProxyHealth)
  /** Cannot listen or cannot use the configuration. A sentence for a person. */
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
  /** 0: any. Read once. */
  readonly port: number;
  readonly policy: DevicePolicy;
  /** Where verdicts come from; null: the device evaluates by itself. Never written to disk. */
  readonly service: { readonly url: string; readonly apiKey: string; readonly proxy?: string | null } | null;
  /** How long a verdict may take before the device decides. */
  readonly guardDeadlineMs: number;
  /** `http://user:password@host:port` or https; null: straight out. */
  readonly upstreamProxy: string | null;
  /** Address or path of the company's PAC file, which is asked first; null: there is none. Read once. */
  readonly upstreamPac: string | null;
  /** Hosts that are reached without it. */
  readonly upstreamProxyBypass: readonly string[];
  /** Further roots (PEM) that providers' certificates may come from: test providers, corporate proxies. */
  readonly upstreamCa: readonly string[];
  /** Answers a probe: `GET /` on this host through the proxy is answered by the proxy itself. */
  readonly probeHost: string;
  /** Served as `/proxy.pac`, so that it is gone when the proxy is; null: there is none. */
  readonly pac: string | null;
  /** Tells our own requests from others, so that a loop is seen. */
  readonly loopToken: string;
}

/** PEM. `chain` holds the leaf first. */
export interface LeafCertificate {
  readonly chain: string;
  readonly key: string;
  readonly notAfterMs: number;
}
