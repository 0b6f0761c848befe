import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLabelLimit } from '../../../../apps/cloud/src/storage/batch/label-limit.ts';
import { createModelNames } from '../../../../apps/cloud/src/storage/batch/model-names.ts';
import { prepareDecision } from '../../../../apps/cloud/src/storage/batch/prepare-decision.ts';
import { usageRows } from '../../../../apps/cloud/src/storage/batch/usage-rows.ts';
import type { ProviderCall, SecurityEvent } from '../../../../apps/cloud/src/storage/model/events.ts';
import { makeRecord, NOON } from '../../../conformance/storage-engines.ts';

const nameModel = createModelNames();
const isLabelStored = createLabelLimit();
const decide = (change: Partial<SecurityEvent>, call?: ProviderCall) =>
  prepareDecision(
    { ...makeRecord('org_a', { latencyUs: 10, ...change }), call },
    NOON,
    nameModel,
    isLabelStored,
  );
const call = (change: Partial<ProviderCall> = {}): ProviderCall => ({
  ...{ isError: false, ms: 1.6, tokens: { input: 5, output: 7 } },
  ...change,
});

const NONE = {
  ...{ requests: 0, blocked: 0, redacted: 0, rejected: 0, calls: 0, call_errors: 0, unmetered: 0 },
  ...{ input_tokens: 0, output_tokens: 0, scans: 0, scan_us: 0, call_ms: 0 },
};
const place = {
  organization_id: 'org_a',
  day: '2026-11-20',
  project_id: '',
  key_id: '',
  device_id: '',
  model: '',
};

test('the decisions of one place are one row of sums', () => {
  const rows = usageRows([
    decide({}),
    decide({ decision: 'block' }),
    decide({ decision: 'redact' }),
    decide({ direction: 'output', latencyUs: 20 }, call()),
    decide({ direction: 'output' }, call({ ms: 0 })),
    decide({ direction: 'output' }, call({ tokens: null, ms: 2 })),
    decide({ direction: 'output' }, call({ isError: true, tokens: null, ms: 4 })),
  ]);
  assert.deepEqual(rows, [
    {
      ...place,
      ...NONE,
      ...{ requests: 3, blocked: 1, redacted: 1, scans: 7, scan_us: 80 },
      ...{ calls: 4, call_errors: 1, unmetered: 1, input_tokens: 10, output_tokens: 14, call_ms: 8 },
    },
  ]);
});

test('each day, project, key, device and model has a row of its own, always in the same order', () => {
  const decisions = [
    decide({ model: 'gpt' }),
    decide({ deviceId: 'dev_a' }),
    decide({ keyId: 'key_a' }),
    decide({ projectId: 'prj_a' }),
    decide({ atMs: NOON + 86_400_000 }),
    decide({}),
  ];
  const rows = usageRows(decisions);
  assert.deepEqual(
    rows.map((row) => [row.day, row.project_id, row.key_id, row.device_id, row.model, row.requests]),
    [
      ['2026-11-20', '', '', '', '', 1],
      ['2026-11-20', '', '', '', 'gpt', 1],
      ['2026-11-20', '', '', 'dev_a', '', 1],
      ['2026-11-20', '', 'key_a', '', '', 1],
      ['2026-11-20', 'prj_a', '', '', '', 1],
      ['2026-11-21', '', '', '', '', 1],
    ],
  );
  assert.deepEqual(usageRows(decisions.toReversed()), rows);
  assert.deepEqual(usageRows([]), []);
});
