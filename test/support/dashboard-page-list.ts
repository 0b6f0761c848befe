import type { Page } from 'playwright-core';
import type { DashboardTestEnv } from './dashboard-test-env.ts';

/** A page of the dashboard, and what to wait for. */
export interface ShownPage {
  readonly name: string;
  readonly at: (testEnv: DashboardTestEnv) => string;
  readonly heading: string | RegExp;
  /** Brings the page into the state to check. */
  readonly act?: (page: Page) => Promise<void>;
}

/** Every page that a signed-in person can open, and the one for unknown addresses. */
export const PAGES: readonly ShownPage[] = [
  { name: 'overview', at: () => '?span=7d', heading: 'Overview' },
  { name: 'events', at: () => 'events', heading: 'Events' },
  { name: 'event', at: ({ blockedEventId }) => `events/${blockedEventId}`, heading: /^Blocked: / },
  { name: 'false-positives', at: () => 'events?tab=false-alarms', heading: 'Events' },
  { name: 'requests', at: () => 'requests', heading: 'Requests' },
  { name: 'requests-ai-tools', at: () => 'requests?kind=tool_request', heading: 'Requests' },
  { name: 'requests-tool-calls', at: () => 'requests/tool-calls', heading: 'Requests' },
  { name: 'requests-texts', at: () => 'requests?kind=false_positive&status=all', heading: 'Requests' },
  {
    name: 'request-new',
    at: () => 'requests/new?host=chatgpt.com&threat=pii_leak&event=evt_0Vb2k',
    heading: 'Request an exception',
  },
  { name: 'devices', at: () => 'devices', heading: 'Devices' },
  { name: 'devices-enroll', at: () => 'devices/enroll', heading: 'Devices' },
  { name: 'devices-settings', at: () => 'devices/settings', heading: 'Devices' },
  { name: 'projects', at: () => 'projects', heading: 'Projects' },
  { name: 'project', at: ({ projects }) => `projects/${projects.support}`, heading: 'Support bot' },
  { name: 'policies', at: ({ projects }) => `policies?project=${projects.support}`, heading: 'Policies' },
  {
    name: 'policy-new',
    at: () => 'policies/new',
    heading: 'New policy',
    async act(page) {
      await page.getByLabel('Name').first().fill('Card numbers never leave');
      await page.getByRole('combobox', { name: 'Threat types' }).click();
      await page.getByRole('option', { name: 'Personal data' }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Run preview' }).click();
      await page.getByRole('status').waitFor();
    },
  },
  {
    name: 'playground',
    at: () => 'playground',
    heading: 'Playground',
    async act(page) {
      await page.getByRole('button', { name: 'Attack', exact: true }).click();
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await page.getByRole('status').waitFor();
    },
  },
  { name: 'tools', at: ({ projects }) => `tools?project=${projects.support}`, heading: 'Agent tools' },
  { name: 'security-testing', at: () => 'security-testing', heading: 'Security testing' },
  { name: 'keys', at: () => 'keys', heading: 'API keys' },
  {
    name: 'endpoints',
    at: () => 'endpoints',
    heading: 'Endpoints',
    async act(page) {
      await page.getByRole('button', { name: /^Deliveries to https:\/\/hooks/ }).click();
      await page.getByRole('row').filter({ hasText: 'threat.blocked' }).waitFor();
    },
  },
  { name: 'usage', at: () => 'plan', heading: 'Usage and plan' },
  { name: 'members', at: () => 'members', heading: 'Members' },
  {
    name: 'audit',
    at: () => 'audit',
    heading: 'Audit log',
    async act(page) {
      await page.getByRole('button', { name: 'Verify chain' }).click();
      await page.getByText('Chain verified').waitFor();
    },
  },
  { name: 'evidence', at: () => 'evidence', heading: 'Evidence' },
  { name: 'outbox', at: () => 'mail', heading: 'Outbox' },
  { name: 'settings', at: () => 'settings', heading: 'Settings' },
  { name: 'settings-groups', at: () => 'settings/groups', heading: 'Roles of groups' },
  { name: 'account', at: () => 'account', heading: 'My account' },
  { name: 'not-found', at: () => 'nowhere', heading: 'Page not found' },
];
