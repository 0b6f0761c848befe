import type { Framework } from '../framework.ts';

/** The subcategories that a gateway contributes to; all others are left to the organization. */
export const NIST_AI_RMF: Framework = {
  id: 'nist-ai-rmf',
  name: 'NIST AI Risk Management Framework',
  edition: '1.0 (NIST AI 100-1)',
  source: 'https://www.nist.gov/itl/ai-risk-management-framework',
  controls: [
    {
      id: 'GOVERN 1.4',
      title: 'Risk management through transparent policies and controls',
      coverage: 'partial',
      statement: 'Policies are versioned, and each change is recorded with its author.',
      figures: ['policies', 'policy_changes', 'changes'],
    },
    {
      id: 'GOVERN 1.6',
      title: 'Inventory of AI systems',
      coverage: 'partial',
      statement: 'Projects, models, keys and devices that use AI through this service are listed.',
      figures: ['projects', 'models', 'keys', 'devices'],
    },
    {
      id: 'GOVERN 2.1',
      title: 'Roles and responsibilities',
      coverage: 'partial',
      statement: 'Members have roles, and administrative actions name their actor.',
      figures: ['members', 'administrators', 'second_factor_rule'],
    },
    {
      id: 'GOVERN 6.1',
      title: 'Third-party AI risks',
      coverage: 'partial',
      statement: 'Requests to third-party models pass the policies, and their providers and use are counted.',
      figures: ['provider_calls', 'models'],
    },
    {
      id: 'MAP 3.5',
      title: 'Human oversight',
      coverage: 'partial',
      statement: 'Requests and tool calls are decided by a person other than the requester.',
      figures: ['requests_decided', 'reviews_decided'],
    },
    {
      id: 'MEASURE 2.4',
      title: 'Behavior in production is monitored',
      coverage: 'addressed',
      statement:
        'Every request and response is evaluated, and each decision is recorded before it takes effect.',
      figures: ['decisions', 'blocked', 'redacted', 'unscanned'],
    },
    {
      id: 'MEASURE 2.7',
      title: 'Security and resilience are evaluated',
      coverage: 'partial',
      statement:
        'Attacks of the security tests are run against the settings of a project, and the runs are stored.',
      figures: ['test_runs', 'prompt_injection', 'jailbreak'],
    },
    {
      id: 'MEASURE 2.10',
      title: 'Privacy risk is examined',
      coverage: 'partial',
      statement: 'Personal data is recognized and redacted; records contain no text.',
      figures: ['pii_leak', 'redacted'],
    },
    {
      id: 'MEASURE 3.3',
      title: 'Feedback of users',
      coverage: 'addressed',
      statement: 'People report wrong decisions and request exceptions; both are recorded.',
      figures: ['false_positives', 'requests_made'],
    },
    {
      id: 'MANAGE 2.4',
      title: 'Mechanisms to disengage or deactivate',
      coverage: 'addressed',
      statement:
        'Keys, devices and projects are disabled within a second, and policies block by model and tool.',
      figures: ['keys', 'devices', 'blocked'],
    },
    {
      id: 'MANAGE 4.1',
      title: 'Monitoring after deployment',
      coverage: 'partial',
      statement: 'Events, notifications and the audit log support monitoring, appeal and override.',
      figures: ['decisions', 'notification_targets', 'requests_decided'],
    },
    {
      id: 'MANAGE 4.3',
      title: 'Incidents are tracked and communicated',
      coverage: 'partial',
      statement:
        'Bursts of blocks, failing devices and a broken audit log notify the places that admins choose.',
      figures: ['notification_targets', 'blocked'],
    },
  ],
};
