import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentClass } from '../../../shared/flow-control/argument-classes.ts';

test('the last meaningful word of a name decides', () => {
  for (const [name, kind] of [
    ['recipient_email', 'recipient'],
    ['file_content', 'text'],
    ['account_number', 'recipient'],
    ['wallet_addr', 'recipient'],
    ['output_dir', 'path'],
    ['repo_name', 'address'],
  ] as const)
    assert.equal(argumentClass(name), kind, name);
  for (const name of [
    ...[
      'account_status',
      'roomType',
      'phone_model',
      'bank_holiday',
      'user_agent',
      'message_count',
      'log_level',
    ],
    ...['payment_method', 'channel_category', 'email_format', 'user_id'],
  ])
    assert.equal(argumentClass(name), null, name);
});

test('code is a command, but not behind a word that is no language', () => {
  for (const name of [
    'code',
    'python_code',
    'shell_script',
    'source_code',
    'javascriptCode',
    'sql',
    'command',
  ])
    assert.equal(argumentClass(name), 'command', name);
  for (const name of ['airport_code', 'zip_code', 'discountCode', 'coverage_program'])
    assert.equal(argumentClass(name), null, name);
});
