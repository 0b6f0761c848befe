import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Reconciliation } from '@csg/shared/contract';
import { signInAs, type TestBrowser } from '../../../support/browser.ts';
import { openaiClient } from '../../../support/clients.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../../support/test-provider.ts';

const seconds = (day: number) => Date.UTC(2026, 10, day) / 1_000;

describe('reconciliation with the report of a provider', () => {
  const clock = createManualClock(Date.UTC(2026, 10, 16, 12));
  let gateway: TestGateway;
  let testProvider: TestProvider;
  let viewer: TestBrowser;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ clock, providerUrl: testProvider.url });
    viewer = await signInAs(gateway, 'viewer');
    testProvider.answer({
      body: JSON.stringify({
        choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
      }),
    });
    const client = openaiClient(gateway.address, gateway.key);
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    for (const model of ['gpt-5-mini', 'gpt-5-mini', 'gpt-5', 'local-model'])
      await client.chat.completions.create({ model, messages });
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  const reconcile = async (report: string) => {
    const { status, body } = await viewer.call<Reconciliation>('POST', '/usage/reconcile', { report });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  test('lists requests that bypassed the gateway, by day and model, from a CSV export', async () => {
    const { rows, total, other_models, from, to } = await reconcile(
      [
        '\ufeffstart_time,start_time_iso,num_model_requests,project_id,model,input_tokens,output_tokens',
        `${seconds(16)},2026-11-16T00:00:00+00:00,4,proj_1,"gpt-5-mini-2025-08-07",390,80`,
        `${seconds(16)},2026-11-16T00:00:00+00:00,1,proj_2,"gpt-5-mini-2025-08-07",10,5`,
        `${seconds(16)},2026-11-16T00:00:00+00:00,1,proj_1,gpt-5,100,20`,
        `${seconds(15)},2026-11-15T00:00:00+00:00,2,proj_1,gpt-5-nano,7,9`,
        '',
      ].join('\r\n'),
    );
    assert.deepEqual([from, to], ['2026-11-15', '2026-11-16']);
    assert.deepEqual(
      rows.map((row) => [row.day, row.model, row.result, row.missing_requests, row.missing_tokens]),
      [
        ['2026-11-16', 'gpt-5-mini-2025-08-07', 'bypassed', 3, 200 + 45],
        ['2026-11-15', 'gpt-5-nano', 'bypassed', 2, 16],
        ['2026-11-16', 'gpt-5', 'matches', 0, 0],
      ],
    );
    assert.deepEqual([total.missing_requests, total.missing_tokens], [5, 261]);
    assert.deepEqual(other_models, ['local-model']);
  });

  test('reads the usage APIs of both providers as JSON', async () => {
    const results = [
      { model: 'gpt-5', num_model_requests: 1, input_tokens: 100, output_tokens: 20 },
      { model: 'gpt-5-mini', num_model_requests: 1, input_tokens: 50, output_tokens: 20 },
    ];
    const openai = await reconcile(JSON.stringify({ data: [{ start_time: seconds(16), results }] }));
    assert.deepEqual(
      openai.rows.map(({ model, result }) => [model, result]),
      [
        ['gpt-5', 'matches'],
        ['gpt-5-mini', 'more_recorded'],
      ],
    );
    const claude = {
      model: 'claude-sonnet-5-20260401',
      uncached_input_tokens: 10,
      cache_read_input_tokens: 5,
      cache_creation: { ephemeral_1h_input_tokens: 2, ephemeral_5m_input_tokens: 3 },
      output_tokens: 4,
    };
    const bucket = { starting_at: '2026-11-16T00:00:00Z', results: [claude] };
    const { rows, total } = await reconcile(JSON.stringify({ data: [bucket] }));
    const [row] = rows;
    assert.deepEqual(
      [row!.provider_input_tokens, row!.missing_tokens, row!.missing_requests, row!.result],
      [20, 24, null, 'bypassed'],
      'without a count of requests the tokens decide',
    );
    assert.equal(total.missing_requests, null);
  });

  test('rejects an unreadable report, and names what is wrong with it', async () => {
    const head = 'day,model,input_tokens,output_tokens\n';
    for (const [report, sentence] of [
      ['date,model\n2026-11-16,gpt-5\n', /no input tokens or no output tokens/],
      ['date,input_tokens,output_tokens\n2026-11-16,1,1\n', /grouped by model/],
      [`${head}yesterday,gpt-5,1,1\n`, /date of row 1/],
      [`${head}2026-11-16,gpt-5,many,1\n`, /many.* where a number/],
      [`${head}2026-11-16,"gpt-5,1,1\n`, /not CSV/],
      ['{"data": [', /neither CSV nor JSON/],
      ['{"data": []}', /no usage/],
      ['   ', /no usage/],
      ['x'.repeat(1_000_001), /./],
      [','.repeat(1_000_000), /too long/],
      [`${','.repeat(200)}\n`.repeat(900), /more than 100 columns/],
      [`${head}${','.repeat(900)}\n`.repeat(1_000), /more than 200000 cells/],
      [head + '2026-11-16,m,1,1\n'.repeat(10_001), /at most 10000/],
    ] as const) {
      const { status, body } = await viewer.call('POST', '/usage/reconcile', { report });
      assert.equal(status, 422, report.slice(0, 60));
      assert.match(JSON.stringify(body), sentence, report.slice(0, 60));
    }
  });
});
