import { useEffect, useState } from 'react';
import type { RecentDecision } from '../agent/control/control-messages.ts';
import type { WindowState } from '../bridge/window-bridge.ts';
import { invoke } from './bridge.ts';

export interface AppState {
  /** Null until the first response of the app. */
  readonly state: WindowState | null;
  /** Newest first. */
  readonly decisions: readonly RecentDecision[];
  /** Increments with every decided request. */
  readonly requestsDecided: number;
}

const MAX_SHOWN = 100;

/** The state of the app, updated by its events. */
export function useAppState(): AppState {
  const [state, setState] = useState<WindowState | null>(null);
  const [decisions, setDecisions] = useState<readonly RecentDecision[]>([]);
  const [requestsDecided, setRequestsDecided] = useState(0);
  const isRunning = state?.status.running === true;

  useEffect(() => {
    void invoke('state').then(setState);
    return window.agent.onEvent((event) => {
      if (event.kind === 'state') setState(event.state);
      if (event.kind === 'decision') setDecisions((known) => [event.decision, ...known].slice(0, MAX_SHOWN));
      if (event.kind === 'request-decided') setRequestsDecided((count) => count + 1);
      if (event.kind === 'go') location.hash = event.to;
    });
  }, []);
  useEffect(() => {
    if (isRunning) invoke('recent').then(setDecisions, () => setDecisions([]));
  }, [isRunning]);
  return { state, decisions, requestsDecided };
}
