import { useEffect, useState } from 'react';
import type { RecentDecision } from '../agent/control/control-messages.ts';
import type { WindowState } from '../bridge/window-bridge.ts';
import { ask } from './bridge.ts';

export interface AppState {
  /** Null until the app has answered for the first time. */
  readonly state: WindowState | null;
  /** Newest first. */
  readonly decisions: readonly RecentDecision[];
  /** Grows with every decision about what was asked for. */
  readonly requestsDecided: number;
}

const MOST_SHOWN = 100;

/** What the app knows, as it changes. */
export function useAppState(): AppState {
  const [state, setState] = useState<WindowState | null>(null);
  const [decisions, setDecisions] = useState<readonly RecentDecision[]>([]);
  const [requestsDecided, setRequestsDecided] = useState(0);
  const isRunning = state?.status.running === true;

  useEffect(() => {
    void ask('state').then(setState);
    return window.agent.onTold((told) => {
      if (told.kind === 'state') setState(told.state);
      if (told.kind === 'decision') setDecisions((known) => [told.decision, ...known].slice(0, MOST_SHOWN));
      if (told.kind === 'request-decided') setRequestsDecided((count) => count + 1);
      if (told.kind === 'go') location.hash = told.to;
    });
  }, []);
  useEffect(() => {
    if (isRunning) ask('recent').then(setDecisions, () => setDecisions([]));
  }, [isRunning]);
  return { state, decisions, requestsDecided };
}
