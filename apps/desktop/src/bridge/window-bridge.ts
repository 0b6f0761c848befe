/**
 * What the window may ask of the app, and what it is told: the whole of it. Main answers, preload lets it through by
 * name, the window asks. Names and shapes only; nothing here does anything.
 */
import type { CreateException, CreateToolRequest } from '@csg/shared/contract';
import type {
  AgentRequests,
  AgentSight,
  AgentStatus,
  ControlAnswers,
  Finding,
  RecentDecision,
  UnenrollReport,
} from '../agent/control/control-messages.ts';
import type { ProtectionView } from './protection-view.ts';

export interface WindowState {
  readonly status: AgentStatus;
  readonly view: ProtectionView;
  readonly update: UpdateState;
  readonly opensAtLogin: boolean;
}

export type UpdateState =
  | { readonly kind: 'off' | 'current' }
  | { readonly kind: 'loading' | 'ready'; readonly version: string }
  | { readonly kind: 'failed'; readonly reason: string };

export interface EnrollInput {
  readonly server: string;
  readonly token: string;
  /** Of this computer; empty: its host name. */
  readonly name: string;
}

/** What each call takes. */
export interface BridgeParams {
  readonly state: null;
  readonly recent: null;
  readonly sight: null;
  readonly requests: null;
  readonly 'request-exception': CreateException;
  readonly 'request-tool': CreateToolRequest;
  readonly 'cancel-request': { readonly id: string };
  readonly 'try-again': null;
  readonly enroll: EnrollInput;
  readonly 'trust-certificate': null;
  readonly unenroll: null;
  readonly diagnose: null;
  readonly 'save-diagnostics': null;
  readonly 'open-at-login': { readonly on: boolean };
  readonly 'install-update': null;
}

export interface BridgeResults {
  readonly state: WindowState;
  readonly recent: readonly RecentDecision[];
  readonly sight: AgentSight | null;
  readonly requests: AgentRequests;
  readonly 'request-exception': ControlAnswers['request-exception'];
  readonly 'request-tool': ControlAnswers['request-tool'];
  readonly 'cancel-request': ControlAnswers['cancel-request'];
  readonly 'try-again': null;
  readonly enroll: null;
  readonly 'trust-certificate': null;
  readonly unenroll: UnenrollReport;
  readonly diagnose: readonly Finding[];
  /** Where it was written; null: the person chose no place. */
  readonly 'save-diagnostics': string | null;
  readonly 'open-at-login': null;
  readonly 'install-update': null;
}

export type BridgeCall = keyof BridgeParams;

/** Preload lets nothing else through. */
export const BRIDGE_CALLS = [
  'state',
  'recent',
  'sight',
  'requests',
  'request-exception',
  'request-tool',
  'cancel-request',
  'try-again',
  'enroll',
  'trust-certificate',
  'unenroll',
  'diagnose',
  'save-diagnostics',
  'open-at-login',
  'install-update',
] as const satisfies readonly BridgeCall[];

/** What main tells by itself. */
export type BridgeEvent =
  | { readonly kind: 'state'; readonly state: WindowState }
  | { readonly kind: 'decision'; readonly decision: RecentDecision }
  | { readonly kind: 'request-decided' }
  /** A page of the window, as its hash: `#/decisions/evt_…`. */
  | { readonly kind: 'go'; readonly to: string };

/** Errors do not cross Electron's bridge whole; the sentence does. */
export type BridgeReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** `window.agent`, put there by preload. */
export interface WindowBridge {
  invoke(call: BridgeCall, params: unknown): Promise<BridgeReply>;
  /** Returns what ends it. */
  onEvent(listener: (event: BridgeEvent) => void): () => void;
}
