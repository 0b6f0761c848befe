import type { GuardRequest, GuardResponse, ProjectSettings, ThreatType } from '@csg/shared/contract';
import type { RulesetInput } from '@csg/shared/detection';

/**
 * The rules for AI traffic on the device. The agent creates them from the signed configuration of the service (`GET
 * /devices/config`) and sends them to the proxy unchanged: plain data.
 */
export interface DevicePolicy {
  /** `monitor`: everything is evaluated and reported, nothing is blocked or changed. */
  readonly mode: 'enforce' | 'monitor';
  /** Whether texts are blocked that neither the service nor the engine on the device could evaluate. */
  readonly failClosed: boolean;
  /** Hosts whose traffic is opened: `api.openai.com`, or `*.openai.com` for every subdomain. */
  readonly hosts: readonly string[];
  /** Hosts that are never opened, even if `hosts` contains them; same syntax. */
  readonly bypassHosts: readonly string[];
  /** AI hosts that must not be used at all; same syntax. */
  readonly blockedTools: readonly string[];
  readonly policyVersion: string;
  /** Rules for the engine on the device while the service does not respond. */
  readonly ruleset: RulesetInput;
  /** When a streamed response is sent: after a whole evaluation, or by part once no finding can begin or end in it. */
  readonly streaming: ProjectSettings['streaming'];
  /** Whether streams of chat pages are also evaluated whole: the project itself sets `buffered`. */
  readonly holdsPages: boolean;
  /** `round_trip`: values that were masked in a request are restored in its response. */
  readonly masking: ProjectSettings['masking'];
  /** Whether personal data that agents work with is masked too: under `strict`, and if the project chose a masking. */
  readonly masksWorkingData: boolean;
  /** Tools in whose arguments secrets are restored. */
  readonly secretTools: ProjectSettings['secret_tools'];
  /** Approved exceptions; expired ones have no effect. */
  readonly exceptions: readonly PolicyException[];
  /** The page on which users request an exception; the event's id is appended as `?event=`. */
  readonly requestUrl: string | null;
}

export interface PolicyException {
  readonly id: string;
  readonly host: string;
  /** The only threats that the exception allows. */
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

/** Requests a verdict from the service's guard. Never rejects: errors become a `no-answer`. */
export type RequestGuard = (request: GuardRequest, deadlineMs: number) => Promise<GuardOutcome>;
