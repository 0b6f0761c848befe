import type { Framework } from '../framework.ts';

/** The articles on logging and what depends on logs. */
export const EU_AI_ACT: Framework = {
  id: 'eu-ai-act',
  name: 'EU AI Act, articles on logging and oversight',
  edition: 'Regulation (EU) 2024/1689',
  source: 'https://eur-lex.europa.eu/eli/reg/2024/1689/oj',
  controls: [
    {
      id: 'Art. 12(1)',
      title: 'Automatic recording of events',
      coverage: 'partial',
      statement:
        'Requests and responses that pass this service are recorded automatically. What a system does without it is not.',
      figures: ['decisions', 'changes'],
    },
    {
      id: 'Art. 12(2)(a)',
      title: 'Events that indicate a risk',
      coverage: 'partial',
      statement: 'Each event names its threat, its decision and what decided it.',
      figures: ['blocked', 'redacted', 'unscanned'],
    },
    {
      id: 'Art. 12(2)(b)',
      title: 'Support of post-market monitoring (Art. 72)',
      coverage: 'partial',
      statement: 'Events and the audit log can be exported and sent to other systems as they arise.',
      figures: ['log_exports', 'decisions'],
    },
    {
      id: 'Art. 12(2)(c)',
      title: 'Monitoring of operation (Art. 26(5))',
      coverage: 'partial',
      statement: 'Deployers see decisions, usage and devices, and choose who is notified.',
      figures: ['decisions', 'notification_targets'],
    },
    {
      id: 'Art. 14',
      title: 'Human oversight',
      coverage: 'partial',
      statement: 'A person can stop, review and override decisions and tool calls.',
      figures: ['reviews_held', 'reviews_decided', 'requests_decided'],
    },
    {
      id: 'Art. 15(5)',
      title: 'Cybersecurity: attacks on the system',
      coverage: 'partial',
      statement: 'Manipulated inputs are recognized and acted on; the settings are tested by stored runs.',
      figures: ['prompt_injection', 'indirect_prompt_injection', 'jailbreak', 'test_runs'],
    },
    {
      id: 'Art. 19 and 26(6)',
      title: 'Logs are kept for at least six months',
      coverage: 'partial',
      statement:
        'The audit log is never deleted. Events are kept as each project says: projects below six months are counted here.',
      figures: ['log_rows', 'projects_short_retention'],
    },
    {
      id: 'Art. 73',
      title: 'Reporting of serious incidents',
      coverage: 'outside',
      statement: 'Reports to authorities are the organization’s; the records support them.',
      figures: ['blocked'],
    },
  ],
};
