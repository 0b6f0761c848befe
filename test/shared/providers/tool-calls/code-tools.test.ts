import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCodeTool, readCodeResults } from '../../../../shared/providers/index.ts';
import { finish } from '../../../../shared/text/index.ts';

test('recognizes tools for files and commands by their names', () => {
  for (const name of [
    ...['Read', 'Write', 'Edit', 'MultiEdit', 'Bash', 'Grep', 'Glob', 'LS', 'NotebookEdit', 'BashOutput'],
    ...['read_file', 'write_to_file', 'execute_command', 'run_terminal_cmd', 'list_dir', 'apply_patch'],
    ...['shell', 'local_shell', 'exec_command', 'search_files', 'codebase_search', 'mcp__box__shell'],
    ...['functions.run_shell_command', 'run_in_terminal', 'git_diff', 'python'],
  ])
    assert.ok(isCodeTool(name), name);
});

test('rejects others, even with a word of those in their names', () => {
  for (const name of [
    ...['get_customer', 'read_email', 'search', 'web_search', 'lookup_order', 'list_events', 'view_profile'],
    ...['drive_search_files', 'get_mail_attachment_file', 'edit_calendar', 'send_message', 'read_message'],
  ])
    assert.ok(!isCodeTool(name), name);
});

test('recognizes them by a parameter that only such a tool has', () => {
  assert.ok(isCodeTool('str_replace_based_edit_tool', ['command', 'path', 'old_str']));
  assert.ok(isCodeTool('change', ['file_path', 'new_string']));
  assert.ok(!isCodeTool('change', ['customer_id']));
});

const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x' });
const call = (id: string, name: string) => ({
  role: 'assistant',
  tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
});

test('a result is code if its call was of such a tool, in each interface', () => {
  const chat = finish(
    readCodeResults({
      messages: [call('1', 'read_file'), result('1'), call('2', 'get_customer'), result('2'), result('3')],
    }),
  );
  assert.deepEqual(
    [1, 3, 4].map((at) => chat(`/messages/${at}/content`)),
    [true, false, false],
  );
  const messages = finish(
    readCodeResults({
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'x' }] }],
        },
      ],
    }),
  );
  assert.ok(messages('/messages/1/content/0/content/0/text'));
  const responses = finish(
    readCodeResults({
      input: [
        { type: 'function_call', call_id: 'c', name: 'exec_command', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'x' },
      ],
    }),
  );
  assert.ok(responses('/input/1/output'));
  const gemini = finish(
    readCodeResults({
      contents: [
        { role: 'user', parts: [{ functionResponse: { name: 'read_file', response: { out: 'x' } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'read_file' }] }],
    }),
  );
  assert.ok(gemini('/contents/0/parts/0/functionResponse/response/out'));
});

test('a result without a call is code only if every tool of the request is such a tool', () => {
  const tools = (...names: string[]) => ({
    tools: names.map((name) => ({ type: 'function', function: { name, parameters: {} } })),
    messages: [{ role: 'tool', content: 'x' }],
  });
  assert.ok(finish(readCodeResults(tools('bash', 'read_file')))('/messages/0/content'));
  assert.ok(!finish(readCodeResults(tools('bash', 'get_customer')))('/messages/0/content'));
  assert.ok(!finish(readCodeResults(tools()))('/messages/0/content'));
  assert.ok(!finish(readCodeResults(null))('/messages/0/content'));
});
