import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ValidationError } from '@csg/shared/contract';
import { readProviderReport } from '../../../../apps/cloud/src/flows/usage-report/read-provider-report.ts';

const HEAD = 'day,model,input_tokens,output_tokens';
const ROW = '2026-11-16,gpt-5,1,2';
const USAGE = { day: '2026-11-16', model: 'gpt-5', requests: null, inputTokens: 1, outputTokens: 2 };
const lines = (...rows: readonly string[]) => `${[HEAD, ...rows].join('\n')}\n`;

async function rejects(text: string): Promise<void> {
  await assert.rejects(
    readProviderReport(text),
    (error) =>
      error instanceof ValidationError &&
      error.detail.length === 1 &&
      error.detail[0]!.loc.join() === 'body,report' &&
      error.detail[0]!.type === 'provider_report',
    text.slice(0, 80),
  );
}

/** A report of one row as JSON, with these cells changed; undefined removes one. */
const row = (change: object) =>
  JSON.stringify({ day: '2026-11-16', model: 'gpt-5', input_tokens: 1, output_tokens: 2, ...change });
const one = async (change: object) => (await readProviderReport(row(change)))[0]!;

describe('the report of a provider as CSV', () => {
  test('has its columns found by name, however they are written, and in any order', async () => {
    const text = [
      '\ufeff" Output Tokens ",Model--Name,Usage.Date (x),N Requests,INPUT_TOKENS',
      '2, gpt-5 ,2026-11-16,"3",1',
      '',
      '5,gpt-5-mini,2026-11-17,,4',
    ].join('\r\n');
    const dated = text.replace('Usage.Date (x)', 'Usage.Date');
    assert.deepEqual(await readProviderReport(dated), [
      { ...USAGE, requests: 3 },
      { day: '2026-11-17', model: 'gpt-5-mini', requests: null, inputTokens: 4, outputTokens: 5 },
    ]);
    await rejects(text);
  });

  test('may have longer and shorter rows, but no open quotes', async () => {
    assert.deepEqual(await readProviderReport(lines(`${ROW},more`)), [USAGE]);
    await rejects(lines('2026-11-16,gpt-5,1'));
    await rejects(lines('2026-11-16,"gpt-5,1,2'));
  });

  test('has 10,000 rows at most, and one at least', async () => {
    const read = await readProviderReport(lines(...Array.from({ length: 10_000 }, () => ROW)));
    assert.deepEqual([read.length, read[0], read.at(-1)], [10_000, USAGE, USAGE]);
    await rejects(lines(...Array.from({ length: 10_001 }, () => ROW)));
    await rejects(lines());
    await rejects('');
  });

  test('has lines of 4,096 characters and 100 columns at most', async () => {
    const long = (length: number) => `${ROW},${'x'.repeat(length - ROW.length - 1)}`;
    assert.deepEqual(await readProviderReport(lines(long(4_096))), [USAGE]);
    await rejects(lines(long(4_097)));
    const wide = (columns: number) => `${HEAD}${',x'.repeat(columns - 4)}\n${ROW}\n`;
    assert.deepEqual(await readProviderReport(wide(100)), [USAGE]);
    await rejects(wide(101));
  });

  test('has records of 8,192 bytes at most, over several lines', async () => {
    const record = (length: number) => {
      const filler = `${'y'.repeat(4_000)}\n`.repeat(3).slice(0, length - ROW.length - 3);
      return lines(`${ROW},"${filler}"`);
    };
    assert.deepEqual(await readProviderReport(record(8_000)), [USAGE]);
    await rejects(record(8_400));
  });

  test('has 200,000 cells at most', async () => {
    const withCommas = (total: number) => {
      const rows: string[] = [];
      for (let left = total - 3; left > 0; ) {
        const here = left > 102 ? 99 : left;
        rows.push(`${ROW}${','.repeat(here - 3)}`);
        left -= here;
      }
      return lines(...rows);
    };
    assert.ok((await readProviderReport(withCommas(199_999))).length > 2_000);
    await rejects(withCommas(200_000));
  });
});

describe('the report of a provider as JSON', () => {
  test('is a row, rows, a page, or pages of buckets with results', async () => {
    const cells = { model: 'gpt-5', input_tokens: 1, output_tokens: 2 };
    const bucket = { starting_at: '2026-11-16T23:59:59Z', results: [cells] };
    for (const [value, count] of [
      [{ ...cells, day: '2026-11-16' }, 1],
      [[{ ...cells, day: '2026-11-16' }, 7, null, ['x']], 1],
      [{ data: [{ ...cells, day: '2026-11-16' }] }, 1],
      [bucket, 1],
      [{ data: [bucket, null, { ...bucket, results: [] }] }, 1],
      [[{ data: [bucket] }, { data: [{ ...bucket, results: [cells, 'x', cells] }] }], 3],
    ] as const) {
      assert.deepEqual(
        await readProviderReport(` \n${JSON.stringify(value)}`),
        Array.from({ length: count }, () => USAGE),
      );
    }
  });

  test('is rejected if it is cut off or has no usage', async () => {
    for (const text of ['{"data": [', '[', '{"data": []}', '[]', '[1]', '{}']) await rejects(text);
  });

  test('has the cells of a result before those of its bucket, and parts of the cache in an object', async () => {
    const cells = { model: 'a', output_tokens: 2, cache_creation: { ephemeral_1h_input_tokens: 3 } };
    const bucket = { day: '2026-11-16', model: 'b', results: [cells] };
    const expected = { ...USAGE, model: 'a', inputTokens: 3 };
    assert.deepEqual(await readProviderReport(JSON.stringify(bucket)), [expected]);
    assert.deepEqual(await readProviderReport(JSON.stringify({ day: '2026-11-16', ...cells })), [expected]);
    assert.equal((await one({ cache_creation: ['x'] })).inputTokens, 1);
  });
});

describe('a row of the report of a provider', () => {
  test('has its cells under the names of each provider, the first that is filled', async () => {
    const names = {
      day: 'start_time_iso start_time starting_at usage_date_utc usage_date date day timestamp',
      model: 'model model_version model_name snapshot_id',
      requests: 'num_model_requests n_requests request_count requests',
      input: 'input_tokens prompt_tokens n_context_tokens_total',
      output: 'output_tokens completion_tokens usage_output_tokens n_generated_tokens_total',
    };
    const values = { day: '2026-11-16', model: 'gpt-5', requests: 7, input: 1, output: 2 };
    const others = { day: '2026-11-20', model: 'other', requests: 99, input: 98, output: 97 };
    const first = Object.fromEntries(
      Object.entries(names).map(([field, list]) => [field, list.split(' ')[0]!]),
    );
    for (const [field, list] of Object.entries(names) as [keyof typeof names, string][]) {
      const all = list.split(' ');
      const base = Object.entries(values).filter(([name]) => name !== field);
      const cells = Object.fromEntries(base.map(([name, value]) => [first[name]!, value]));
      for (const [at, name] of all.entries()) {
        // Names before it are empty, and the ones after it have other values.
        const before = Object.fromEntries(all.slice(0, at).map((n, index) => [n, index % 2 ? null : '']));
        const after = Object.fromEntries(all.slice(at + 1).map((n) => [n, others[field]]));
        const text = JSON.stringify({ ...cells, ...before, [name]: values[field], ...after });
        assert.deepEqual(await readProviderReport(text), [{ ...USAGE, requests: 7 }], name);
      }
    }
  });

  test('has input tokens as one number, else as the sum of their parts', async () => {
    const parts = [
      ...['uncached_input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
      ...['ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens'],
      ...['usage_input_tokens_no_cache', 'usage_input_tokens_cache_read'],
      ...['usage_input_tokens_cache_write_5m', 'usage_input_tokens_cache_write_1h'],
    ];
    const cells = Object.fromEntries(parts.map((name, index) => [name, 10 ** index]));
    assert.equal((await one({ input_tokens: undefined, ...cells })).inputTokens, 111_111_111);
    assert.equal((await one({ input_tokens: 5, ...cells })).inputTokens, 5);
    for (const empty of ['', null]) {
      assert.equal((await one({ input_tokens: '', uncached_input_tokens: empty })).inputTokens, 0);
    }
    await rejects(row({ input_tokens: undefined }));
    await rejects(row({ output_tokens: undefined }));
    await rejects(row({ output_tokens: '' }));
  });

  test('has counts that are whole numbers from zero on', async () => {
    const counts = await one({ requests: '0', input_tokens: '12', output_tokens: Number.MAX_SAFE_INTEGER });
    assert.deepEqual(counts, {
      ...{ ...USAGE, requests: 0, inputTokens: 12, outputTokens: Number.MAX_SAFE_INTEGER },
    });
    for (const count of [-1, 1.5, 'many', Number.MAX_SAFE_INTEGER + 1]) {
      await rejects(row({ requests: count }));
      await rejects(row({ input_tokens: count }));
      await rejects(row({ output_tokens: count }));
      await rejects(row({ input_tokens: undefined, uncached_input_tokens: count }));
    }
  });

  test('has a model by name, and a day as a date, a time or seconds, between 1970 and 2096', async () => {
    for (const model of ['', null, 5, undefined]) await rejects(row({ model }));
    for (const [cell, day] of [
      ['2026-11-16T23:30:00-02:00', '2026-11-17'],
      [1_794_787_200, '2026-11-16'],
      ['1794873599', '2026-11-16'],
      ['100000000', '1973-03-03'],
      ['1970-01-01T00:00:00.001Z', '1970-01-01'],
      ['2096-10-02T07:06:39.999Z', '2096-10-02'],
    ] as const) {
      assert.equal((await one({ day: cell })).day, day, String(cell));
    }
    for (const day of ['yesterday', undefined, '', '1970-01-01', '2096-10-02T07:06:40Z', '99999999999']) {
      await rejects(row({ day }));
    }
  });
});
