/**
 * The complete interface between window and app. The window invokes calls, preload allows them by name, and main handles
 * them. Types and names only.
 */
import type { CreateException, CreateToolRequest } from '@csg/shared/contract';
import type {
  AgentRequests,
  AgentStatus,
  ControlResults,
  Finding,
  InspectionScope,
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
  /** Name of this computer; empty for its host name. */
  readonly name: string;
}

/** Parameters of each call. */
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
  readonly sight: InspectionScope | null;
  readonly requests: AgentRequests;
  readonly 'request-exception': ControlResults['request-exception'];
  readonly 'request-tool': ControlResults['request-tool'];
  readonly 'cancel-request': ControlResults['cancel-request'];
  readonly 'try-again': null;
  readonly enroll: null;
  readonly 'trust-certificate': null;
  readonly unenroll: UnenrollReport;
  readonly diagnose: readonly Finding[];
  /** The path of the file; null if the user canceled. */
  readonly 'save-diagnostics': string | null;
  readonly 'open-at-login': null;
  readonly 'install-update': null;
}

export type BridgeCall = keyof BridgeParams;

/** Preload allows no other calls. */
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

/** Events that main sends to the window. */
export type BridgeEvent =
  | { readonly kind: 'state'; readonly state: WindowState }
  | { readonly kind: 'decision'; readonly decision: RecentDecision }
  | { readonly kind: 'request-decided' }
  /** Opens a page of the window by its hash: `#/decisions/evt_…`. */
  | { readonly kind: 'go'; readonly to: string };

/** Error objects do not cross Electron's bridge intact, so only the message does. */
export type BridgeReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** `window.agent`, provided by preload. */
export interface WindowBridge {
  invoke(call: BridgeCall, params: unknown): Promise<BridgeReply>;
  /** Returns a function that removes the listener. */
  onEvent(listener: (event: BridgeEvent) => void): () => void;
}
