import { Center, Loader } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { RecentDecision } from '../agent/control/control-messages.ts';
import type { WindowState } from '../bridge/window-bridge.ts';
import { invoke } from './bridge.ts';
import { Nav } from './components/nav.tsx';
import { DecisionPage } from './pages/decision-page.tsx';
import { DecisionsPage } from './pages/decisions-page.tsx';
import { DiagnosisPage } from './pages/diagnosis-page.tsx';
import { EnrollPage } from './pages/enroll-page.tsx';
import { InspectionPage } from './pages/inspection-page.tsx';
import { NewRequestPage } from './pages/new-request-page.tsx';
import { RemovePage } from './pages/remove-page.tsx';
import { RequestsPage } from './pages/requests-page.tsx';
import { StatusPage } from './pages/status-page.tsx';

export function App() {
  const app = useAppState();
  const page = usePage();
  const { state } = app;
  if (state === null) {
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  return (
    <div className="frame">
      <Nav current={page.path[0] ?? ''} view={state.view} isEnrolled={state.status.enrolled} />
      <main className="page">{pageOf(page, { ...app, state })}</main>
    </div>
  );
}

function pageOf(
  { path, query }: Page,
  app: AppState & { readonly state: NonNullable<AppState['state']> },
): ReactNode {
  const { state, decisions } = app;
  const [first, second] = path;
  // Also after the removal, so that its report stays visible.
  if (first === 'remove') return <RemovePage status={state.status} />;
  if (first === 'diagnosis') return <DiagnosisPage view={state.view} />;
  if (!state.status.enrolled || first === 'enroll') {
    // A new link resets the form.
    return <EnrollPage key={query.toString()} query={query} status={state.status} />;
  }
  if (first === 'decisions' && second !== undefined) {
    return <DecisionPage decision={decisions.find(({ event_id }) => event_id === second)} />;
  }
  if (first === 'decisions') return <DecisionsPage decisions={decisions} />;
  if (first === 'requests' && second === 'new') {
    const event = query.get('event');
    const decision = decisions.find(({ event_id }) => event_id === event);
    return <NewRequestPage key={`${event} ${decision?.host}`} decision={decision} kind={query.get('kind')} />;
  }
  if (first === 'requests') return <RequestsPage decided={app.requestsDecided} />;
  if (first === 'inspection') return <InspectionPage status={state.status} />;
  return <StatusPage state={state} decisions={decisions} />;
}

interface AppState {
  /** Null until the first response of the app. */
  readonly state: WindowState | null;
  /** Newest first. */
  readonly decisions: readonly RecentDecision[];
  /** Increments with every decided request. */
  readonly requestsDecided: number;
}

const MAX_SHOWN = 100;

/** The state of the app, updated by its events. */
function useAppState(): AppState {
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

/** The page by the hash of the address: `#/decisions/evt_1?x=y` is `['decisions', 'evt_1']` and its query. */
interface Page {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function usePage(): Page {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return {
    path: path.split('/').filter(Boolean).map(decodeURIComponent),
    query: new URLSearchParams(query),
  };
}
