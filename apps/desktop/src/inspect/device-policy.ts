import type { GuardRequest, GuardResponse, ProjectSettings, ThreatType } from '@csg/shared/contract';
import type { RulesetInput } from '@csg/shared/detection';

/**
 * What the device does with AI traffic. Made by the agent from the signed configuration of the service
 * (`GET /devices/config`) and sent to the proxy as it is: plain data.
 */
export interface DevicePolicy {
  /** `monitor`: everything is evaluated and reported, nothing is stopped or changed. */
  readonly mode: 'enforce' | 'monitor';
  /** What happens to texts that neither the service nor the engine on the device could evaluate. */
  readonly failClosed: boolean;
  /** Hosts whose traffic is opened: `api.openai.com`, or `*.openai.com` for every name below. */
  readonly hosts: readonly string[];
  /** Hosts that are never opened, whatever `hosts` says; the same spelling. */
  readonly bypassHosts: readonly string[];
  /** AI hosts that may not be used at all; the same spelling. */
  readonly blockedTools: readonly string[];
  readonly policyVersion: string;
  /** What the engine on the device evaluates by when the service does not answer. */
  readonly ruleset: RulesetInput;
  /** When a streamed response leaves: evaluated whole, or each part once no finding can begin or end in it. */
  readonly streaming: ProjectSettings['streaming'];
  /** Streams of chat pages are evaluated whole too: the project sets `buffered` itself. */
  readonly holdsPages: boolean;
  /** `round_trip`: what was masked in a request is put back into its response. */
  readonly masking: ProjectSettings['masking'];
  /** Tools into whose arguments secrets are put back. */
  readonly secretTools: ProjectSettings['secret_tools'];
  /** Approved exceptions; those that have ended count for nothing. */
  readonly exceptions: readonly PolicyException[];
  /** Where a person asks for an exception; the event's id is appended as `?event=`. */
  readonly requestUrl: string | null;
}

export interface PolicyException {
  readonly id: string;
  readonly host: string;
  /** What it excuses, and nothing else. */
  readonly threats: readonly ThreatType[];
  readonly untilMs: number;
}

/** Why the service gave no verdict. */
export type NoResponseReason =
  | 'timeout'
  | 'unreachable'
  | 'refused'
  | 'invalid'
  | 'overloaded'
  | 'not_scanned';

export type GuardOutcome =
  | { readonly kind: 'verdict'; readonly response: GuardResponse }
  | { readonly kind: 'no-answer'; readonly reason: NoResponseReason };

/** The service's guard as the proxy asks it. Never rejects: what goes wrong is a `no-answer`. */
export type RequestGuard = (request: GuardRequest, deadlineMs: number) => Promise<GuardOutcome>;
