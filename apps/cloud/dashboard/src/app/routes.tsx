import { Center, Loader } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { ErrorAlert } from '../components/states.tsx';
import { SessionContext, useReadSession } from '../data/session.ts';
import { Shell } from './shell.tsx';

/** Each page is its own chunk, loaded when it is first opened. */
function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] }));
}

const SignIn = page(() => import('../pages/auth/sign-in.tsx'), 'SignIn');
const SignUp = page(() => import('../pages/auth/sign-up.tsx'), 'SignUp');
const SetUp = page(() => import('../pages/auth/set-up.tsx'), 'SetUp');
const ForgotPassword = page(() => import('../pages/auth/forgot-password.tsx'), 'ForgotPassword');
const ResetPassword = page(() => import('../pages/auth/reset-password.tsx'), 'ResetPassword');
const VerifyEmail = page(() => import('../pages/auth/verify-email.tsx'), 'VerifyEmail');
const AcceptInvitation = page(() => import('../pages/auth/accept-invitation.tsx'), 'AcceptInvitation');
const NoOrganization = page(() => import('../pages/auth/no-organization.tsx'), 'NoOrganization');

const Overview = page(() => import('../pages/overview/overview.tsx'), 'Overview');
const Events = page(() => import('../pages/events/events.tsx'), 'Events');
const EventPage = page(() => import('../pages/events/event.tsx'), 'EventPage');
const Requests = page(() => import('../pages/requests/requests.tsx'), 'Requests');
const NewRequest = page(() => import('../pages/requests/new-request.tsx'), 'NewRequest');
const Devices = page(() => import('../pages/devices/devices.tsx'), 'Devices');
const Projects = page(() => import('../pages/projects/projects.tsx'), 'Projects');
const ProjectPage = page(() => import('../pages/projects/project.tsx'), 'ProjectPage');
const Playground = page(() => import('../pages/playground/playground.tsx'), 'Playground');
const Tools = page(() => import('../pages/tools/tools.tsx'), 'Tools');
const SecurityTesting = page(
  () => import('../pages/security-testing/security-testing.tsx'),
  'SecurityTesting',
);
const TestRunPage = page(() => import('../pages/security-testing/test-run.tsx'), 'TestRunPage');
const Keys = page(() => import('../pages/keys/keys.tsx'), 'Keys');
const Policies = page(() => import('../pages/policies/policies.tsx'), 'Policies');
const PolicyPage = page(() => import('../pages/policies/policy.tsx'), 'PolicyPage');
const Endpoints = page(() => import('../pages/endpoints/endpoints.tsx'), 'Endpoints');
const Members = page(() => import('../pages/members/members.tsx'), 'Members');
const Outbox = page(() => import('../pages/outbox/outbox.tsx'), 'Outbox');
const OrganizationSettings = page(
  () => import('../pages/organization/organization.tsx'),
  'OrganizationSettings',
);
const GroupRoles = page(() => import('../pages/organization/group-roles.tsx'), 'GroupRoles');
const Account = page(() => import('../pages/account/account.tsx'), 'Account');
const Audit = page(() => import('../pages/audit/audit.tsx'), 'Audit');
const Evidence = page(() => import('../pages/evidence/evidence.tsx'), 'Evidence');
const Plan = page(() => import('../pages/plan/plan.tsx'), 'Plan');
const NotFound = page(() => import('../pages/not-found.tsx'), 'NotFound');

export function AppRoutes() {
  return (
    <Suspense fallback={<FullPageLoader />}>
      <Routes>
        <Route path="set-up" element={<SetUp />} />
        <Route path="sign-up" element={<SignUp />} />
        <Route path="forgot-password" element={<ForgotPassword />} />
        <Route path="reset-password" element={<ResetPassword />} />
        <Route path="verify-email" element={<VerifyEmail />} />
        <Route path="invitation" element={<AcceptInvitation />} />
        <Route element={<SignedIn />}>
          <Route index element={<Overview />} />
          <Route path="sign-in" element={<Overview />} />
          <Route path="events" element={<Events />} />
          <Route path="events/:eventId" element={<EventPage />} />
          <Route path="requests/new" element={<NewRequest />} />
          <Route path="requests/:tab?" element={<Requests />} />
          <Route path="devices/:tab?" element={<Devices />} />
          <Route path="projects" element={<Projects />} />
          <Route path="projects/:projectId" element={<ProjectPage />} />
          <Route path="playground" element={<Playground />} />
          <Route path="tools" element={<Tools />} />
          <Route path="security-testing" element={<SecurityTesting />} />
          <Route path="security-testing/:runId" element={<TestRunPage />} />
          <Route path="keys" element={<Keys />} />
          <Route path="policies" element={<Policies />} />
          <Route path="policies/:policyId" element={<PolicyPage />} />
          <Route path="endpoints" element={<Endpoints />} />
          <Route path="webhooks" element={<Navigate to="/endpoints" replace />} />
          <Route path="audit" element={<Audit />} />
          <Route path="evidence" element={<Evidence />} />
          <Route path="plan" element={<Plan />} />
          <Route path="members" element={<Members />} />
          <Route path="mail" element={<Outbox />} />
          <Route path="settings" element={<OrganizationSettings />} />
          <Route path="settings/groups" element={<GroupRoles />} />
          <Route path="account" element={<Account />} />
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
    </Suspense>
  );
}

/** The shell if the user is signed in, else the sign-in page. The path stays, so that signing in leads there. */
function SignedIn() {
  const session = useReadSession();
  if (session.data === undefined) {
    return session.error === null ? (
      <FullPageLoader />
    ) : (
      <Center mih="100vh" p="md">
        <ErrorAlert error={session.error} retry={() => session.refetch()} />
      </Center>
    );
  }
  if (session.data === null) return <SignIn />;
  const { organization } = session.data;
  if (organization === null) return <NoOrganization />;
  return (
    <SessionContext value={{ ...session.data, organization }}>
      <Shell />
    </SessionContext>
  );
}

function FullPageLoader() {
  return (
    <Center mih="100vh">
      <Loader size="sm" aria-label="Loading" />
    </Center>
  );
}
