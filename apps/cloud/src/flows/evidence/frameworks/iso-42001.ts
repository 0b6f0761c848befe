import type { Framework } from '../framework.ts';

/** Based only on the public summary of Annex A: its groups of objectives, not its controls. */
export const ISO_42001: Framework = {
  id: 'iso-42001',
  name: 'ISO/IEC 42001, Annex A',
  edition: '2023, by its public summary',
  source: 'https://www.iso.org/standard/42001',
  controls: [
    {
      id: 'A.2',
      title: 'Policies related to AI',
      coverage: 'partial',
      statement:
        'Technical policies are enforced and versioned. The written AI policy is the organization’s.',
      figures: ['policies', 'policy_changes'],
    },
    {
      id: 'A.3',
      title: 'Internal organization',
      coverage: 'partial',
      statement: 'Roles, approvals by another person, and reports of mistakes are recorded.',
      figures: ['members', 'administrators', 'false_positives'],
    },
    {
      id: 'A.4',
      title: 'Resources for AI systems',
      coverage: 'partial',
      statement: 'Models, keys, devices and tools in use are listed.',
      figures: ['models', 'keys', 'devices'],
    },
    {
      id: 'A.5',
      title: 'Assessing impacts of AI systems',
      coverage: 'outside',
      statement: 'Impact assessments are made by people.',
      figures: [],
    },
    {
      id: 'A.6',
      title: 'AI system life cycle',
      coverage: 'partial',
      statement: 'Operation is monitored and event logs are recorded. Design and development are outside.',
      figures: ['decisions', 'test_runs', 'log_rows', 'log_anchored'],
    },
    {
      id: 'A.7',
      title: 'Data for AI systems',
      coverage: 'outside',
      statement: 'Data sets for training do not pass this service.',
      figures: ['pii_leak'],
    },
    {
      id: 'A.8',
      title: 'Information for interested parties',
      coverage: 'partial',
      statement: 'Blocked requests say why and how to appeal; incidents notify chosen places.',
      figures: ['notification_targets', 'requests_made'],
    },
    {
      id: 'A.9',
      title: 'Use of AI systems',
      coverage: 'addressed',
      statement: 'Use is bound to purposes by project, preset, policy and permission of keys.',
      figures: ['projects', 'policies', 'blocked', 'rejected'],
    },
    {
      id: 'A.10',
      title: 'Third-party and customer relationships',
      coverage: 'partial',
      statement: 'Use of each provider’s models is counted, and content sent to them passes the policies.',
      figures: ['provider_calls', 'models'],
    },
  ],
};
