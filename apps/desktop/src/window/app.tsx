import { Center, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
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
import { type AppState, useAppState } from './use-app-state.ts';
import { type Page, usePage } from './use-page.ts';

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
