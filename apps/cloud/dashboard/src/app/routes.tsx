import { Center, Loader } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { SessionContext, useReadSession } from '../data/session.ts';
import { FaultNote } from '../parts/states.tsx';
import { Shell } from './shell.tsx';

/** Each page is a file of its own, fetched when it is first gone to. */
function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] }));
}

const Overview = page(() => import('../pages/overview/overview.tsx'), 'Overview');
const SignIn = page(() => import('../pages/entry/sign-in.tsx'), 'SignIn');
const NotFound = page(() => import('../pages/not-found.tsx'), 'NotFound');

export function AppRoutes() {
  return (
    <Suspense fallback={<Whole />}>
      <Routes>
        <Route element={<SignedIn />}>
          <Route index element={<Overview />} />
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
    </Suspense>
  );
}

/** The shell for who is signed in; the way in for who is not. The address stays, so that they arrive there. */
function SignedIn() {
  const session = useReadSession();
  if (session.data === undefined) {
    return session.error === null ? (
      <Whole />
    ) : (
      <Center mih="100vh" p="md">
        <FaultNote fault={session.error} retry={() => session.refetch()} />
      </Center>
    );
  }
  if (session.data === null) return <SignIn />;
  return (
    <SessionContext value={session.data}>
      <Shell />
    </SessionContext>
  );
}

function Whole() {
  return (
    <Center mih="100vh">
      <Loader size="sm" aria-label="Loading" />
    </Center>
  );
}
