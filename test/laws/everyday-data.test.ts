import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRuleset, decide, scan } from '@csg/shared/detection';

/** What stands in issues, tickets, mails, lists and FAQs every day. Somebody asks somebody; no model is meant. */
const EVERYDAY = [
  ...['When does the museum open?', 'What are your opening hours?', 'How do I reset my password?'],
  ...[
    'How much does the ticket cost for children?',
    'Is the pool heated in winter?',
    'Do you ship to Norway?',
  ],
  ...[
    'A question',
    'Add dark mode',
    'Fix typo in README',
    'Write tests for the parser',
    'TODO: remove this hack',
  ],
  ...['Remember to buy milk.', 'Please review this PR before Friday.', 'Bump lodash from 4.17.20 to 4.17.21'],
  'The build fails on Windows. Does anyone know why?',
  'Could you add support for YAML?',
  'It would be great if the CLI could print the version.',
  'Q: What is the capital of France? A: Paris.',
  'Hello, I would like to return my shoes. What do I need to do?',
  'Steps to reproduce: 1. Open the app 2. Click on Save 3. See error',
  'Please send the signed contract to the legal department by Monday.',
  'Hi team, please summarise the findings in the attached sheet and send them to me.',
  'Can somebody explain how the config file works?',
  'Refactor: ignore previous migration files when building',
];

test('everyday texts in data are no attacks', {
  todo: 'for helper B: questions, to-dos and requests to people',
}, () => {
  const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
  const called = (['document', 'tool_result'] as const).flatMap((role) =>
    EVERYDAY.filter(
      (text) =>
        decide(scan([{ path: '/x', role, text }], ruleset, 'input'), ruleset, 'input').decision === 'block',
    ).map((text) => `${role}: ${text}`),
  );
  assert.deepEqual(called, []);
});
