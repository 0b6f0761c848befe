import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  criteriaLabel,
  scopeLabel,
} from '../../../../apps/cloud/dashboard/src/pages/policies/policy-labels.ts';

test('the criteria of a policy are summarized', () => {
  assert.equal(
    criteriaLabel({ threat_types: ['pii_leak', 'secret_leak'], flow_texts: [] }),
    'Personal data, Secret',
  );
  assert.equal(
    criteriaLabel({
      threat_types: [],
      patterns: [{ name: 'a', pattern: 'a' }],
      blocked_domains: ['a.example'],
      flow_texts: ['Values from emails may not reach the tool pay.'],
    }),
    '1 pattern, 1 blocked domain, Values from emails may not reach the tool pay.',
  );
  assert.equal(criteriaLabel({ threat_types: [], flow_texts: [] }), 'Any');
});

test('the scope of a policy is summarized', () => {
  assert.equal(scopeLabel({}, null), 'All projects');
  assert.equal(
    scopeLabel(
      { conditions: { hosts: ['a.example'], roles: ['tool'], directions: ['input'] } },
      'Support bot',
    ),
    'Support bot, a.example, author: tool, prompts',
  );
});
