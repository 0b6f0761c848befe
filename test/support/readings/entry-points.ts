import { isCodeTool, readHook } from '../../../shared/providers/index.ts';
import { createRandom } from '../random.ts';
import { readAddresses } from './address-readings.ts';
import { readBytes, readPlaceholders } from './byte-readings.ts';
import type { Readings } from './compare-readings.ts';
import { digest } from './digest.ts';
import { readGuard } from './guard-readings.ts';
import { readMediaAndCalls } from './media-readings.ts';
import { readTexts } from './text-readings.ts';

const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'BeforeTool',
  'AfterTool',
  'BeforeAgent',
  'beforeShellExecution',
  'beforeMCPExecution',
  'preToolUse',
  'beforeReadFile',
  'beforeSubmitPrompt',
  'postToolUse',
  'afterShellExecution',
  'afterMCPExecution',
  'BeforeMcpCall',
  'AfterMcpCall',
  'SessionStart',
  'toString',
  17,
];

/** Hooks of coding agents, guard requests, tool names, placeholders, bytes. */
function* readOthers(): Readings {
  for (let at = 0; at < 150; at++) {
    const random = createRandom(at * 7_919 + 41);
    const some = () =>
      random.pick<unknown>([
        undefined,
        null,
        '',
        'words',
        ' {"a":"b"}',
        '{"a":',
        '["a"]',
        { a: 1 },
        ['a'],
        17,
        'n'.repeat(300),
      ]);
    const body = {
      hook_event_name: HOOK_EVENTS[at % HOOK_EVENTS.length],
      ...Object.fromEntries(
        [
          'tool_name',
          'tool_input',
          'tool_response',
          'tool_output',
          'prompt',
          'command',
          'cwd',
          'content',
          'output',
          'result_json',
          'session_id',
          'conversation_id',
        ].map((name) => [name, some()]),
      ),
      ...(random.chance(0.3) && { turn_id: 't' }),
    };
    const hook = readHook(body);
    const results = hook && { ...hook, deny: hook.deny('no'), ask: hook.ask('why') };
    yield {
      name: `hook ${at}`,
      text: JSON.stringify(body),
      reading: hook === null ? '' : `${hook.agent} ${hook.kind} ${digest(results)}`,
      details: () => JSON.stringify(results, null, 1),
    };
  }
  for (let at = 0; at < 110; at++) yield readGuard(createRandom(at * 7_919 + 43), at);
  for (let at = 0; at < 120; at++) yield readPlaceholders(createRandom(at * 7_919 + 47), at);
  for (let at = 0; at < 120; at++) yield readBytes(createRandom(at * 7_919 + 53), at);
  const tools = [
    'Read',
    'read_file',
    'mcp__fs__edit',
    'send_mail',
    'share_file',
    'x.bash',
    'getWeather',
    'MultiEdit',
    'grep',
    'run-command',
    '',
  ];
  yield {
    name: 'code tools',
    text: tools.join(),
    reading: tools
      .map((name) => `${Number(isCodeTool(name))}${Number(isCodeTool(name, ['file_path']))}`)
      .join(' '),
  };
}

export function* readEntryPoints(): Readings {
  yield* readTexts();
  yield* readAddresses();
  yield* readOthers();
  yield* readMediaAndCalls();
}
