/** Every route with every shape of heavy bodies, each with some of the kinds of texts. */
import type { Random } from '../../../test/support/random.ts';
import type { RawReply } from '../../../test/support/test-provider.ts';
import { guardBody, type Interface, MODEL_INTERFACES } from './heavy-bodies.ts';
import { ANSWERS, callsOf, callWithText, callWithValues, SHAPES } from './heavy-conversations.ts';
import { KINDS, listOf, textOf } from './heavy-texts.ts';
import { type TypedRoute, typedBody, typedRoutes } from './heavy-typed-bodies.ts';

export interface HeavyCase {
  readonly route: string;
  /** What is heavy: the shape, and of which texts. */
  readonly about: string;
  readonly project: ProjectName;
  /** `{project_id}` stands for the project of the dashboard's owner. */
  readonly path: string;
  /** Default: `POST`. */
  readonly method?: string;
  readonly body: () => object;
  /** What the provider, the site or the MCP server answers. */
  readonly answer?: () => RawReply;
  readonly isSocket?: boolean;
}

/** Projects with the settings that make work. */
export const PROJECTS = {
  plain: {},
  strict: { settings: { flow_control: 'block', untrusted_data: 'withhold', masking: 'round_trip' } },
  live: { settings: { flow_control: 'block', streaming: 'live', masking: 'round_trip' } },
  patterns: { patterns: ['fox number [0-9]+', 'p[0-9]+@h', 'the (river|hotel) is', 'letter [a-z]{4}'] },
} as const;
export type ProjectName = keyof typeof PROJECTS | 'endpoint';

const GUARD = '/api/v1/guard';
const QUESTION = { messages: [{ role: 'user' as const, texts: ['My mail is anna@ex.io, what is new?'] }] };
const HISTORY = {
  messages: [
    ...QUESTION.messages,
    { role: 'assistant' as const, texts: [], calls: [{ name: 'read_mail', args: { id: 'm' } }] },
    { role: 'tool' as const, texts: [textOf('e-mail addresses', 500_000)] },
  ],
};
/** Characters of a text where only one is accepted. */
const MOST = 99_000;

type Make = (kind: string, n: number) => HeavyCase;
const projectFor = (n: number): ProjectName =>
  (['strict', 'plain', 'live', 'patterns', 'endpoint'] as const)[n % 5]!;

function modelCases(): Make[] {
  return Object.entries(MODEL_INTERFACES).flatMap(([name, form]) => [
    ...Object.entries(SHAPES).map(
      ([shape, make]): Make =>
        (kind, n) => ({
          ...{ route: name, about: `${shape}, ${kind}`, project: projectFor(n), path: form.path },
          body: () => form.request(make(kind), false),
          answer: () => form.answer({ text: 'Done.' }, false),
        }),
    ),
    ...Object.keys(ANSWERS).flatMap((shape) => [
      answerCase(name, form, shape, false),
      answerCase(name, form, shape, true),
    ]),
  ]);
}

function answerCase(name: string, form: Interface, shape: string, isStream: boolean): Make {
  return (kind, n) => ({
    ...{ route: `${name}, ${isStream ? 'stream' : 'answer'}`, about: `${shape}, ${kind}` },
    project: n % 2 ? projectFor(n) : 'live',
    path: isStream ? (form.streamPath ?? form.path) : form.path,
    body: () => form.request(n % 3 ? HISTORY : QUESTION, isStream),
    answer: () => form.answer(ANSWERS[shape]!(kind, isStream), isStream),
  });
}

function guardCases(): Make[] {
  return Object.entries(SHAPES).flatMap(([shape, make]) =>
    (['input', 'output'] as const).map(
      (direction): Make =>
        (kind, n) => ({
          ...{
            route: `guard, ${direction}`,
            about: `${shape}, ${kind}`,
            project: projectFor(n),
            path: GUARD,
          },
          body: () => guardBody(make(kind), direction),
        }),
    ),
  );
}

const simple =
  (route: string, path: string, shape: string, body: (kind: string) => object): Make =>
  (kind, n) => ({ route, about: `${shape}, ${kind}`, path, project: projectFor(n), body: () => body(kind) });

const fileOf = (text: string): object => ({
  type: 'file',
  file: {
    filename: 'notes.txt',
    file_data: `data:text/plain;base64,${Buffer.from(text).toString('base64')}`,
  },
});

/** Most characters of the playground, of a text whose words are weighed, and of a sample of a policy. */
const TRIED = 20_000;
const WEIGHED = 3_000;
const SAMPLE = 10_000;
const PATTERNS = Array.from({ length: 50 }, (_, n) => ({ name: `p${n}`, pattern: `[a-z]+ ${n}[0-9]*` }));

function dashboardCases(): Make[] {
  const trial = (route: string, shape: string, body: (kind: string) => object): Make =>
    simple(route, `/dashboard/${route}`, shape, body);
  return [
    trial('playground/model-call', 'long messages', (kind) => ({
      ...{ project_id: '{project_id}', provider: 'openai', model: 'gpt-test' },
      messages: Array.from({ length: 20 }, (_, at) => ({
        role: (['user', 'assistant', 'tool'] as const)[at % 3]!,
        content: textOf(kind, TRIED).slice(0, TRIED),
      })),
    })),
    trial('playground', 'a text', (kind) => ({ text: textOf(kind, TRIED).slice(0, TRIED) })),
    trial('playground', 'weighed words', (kind) => ({ text: textOf(kind, WEIGHED).slice(0, WEIGHED) })),
    trial('playground', 'many messages', (kind) => ({
      messages: listOf(kind, 250).map((content) => ({ role: 'user', content: content.slice(0, 70) })),
    })),
    trial('policies/preview', 'many patterns', () => ({
      policy: { name: 'draft', action: 'block', threat_types: ['pii_leak'], patterns: PATTERNS },
      hours: 168,
    })),
    trial('policies/try', 'many samples', (kind) => ({
      samples: Array.from({ length: 20 }, () => textOf(kind, SAMPLE).slice(0, SAMPLE)),
      patterns: PATTERNS,
    })),
  ];
}

/** Most events of a device in a request, and most findings of one that fit. */
const EVENTS = 500;
const FINDINGS = 12;

const deviceEvents = (): object => ({
  events: Array.from({ length: EVENTS }, (_, n) => ({
    ...{ event_id: `evt_${performance.now()}_${n}`.replace('.', ''), decision: 'redact' },
    ...{ threat_type: 'pii_leak', confidence: 1, destination_host: `h${n}.example`, model: `m${n}` },
    findings: Array.from({ length: FINDINGS }, (_one, at) => ({
      ...{ rule: `pii.rule-${at}`, type: 'pii_leak', path: `/messages/${n}/content/${at}/text` },
      ...{ start: at, end: at + 9, confidence: 1 },
    })),
  })),
});

/** What every route with a schema accepts at most. */
function typedCases(): Make[] {
  const name = ({ method, path }: TypedRoute): string => `${method} ${path}`;
  return typedRoutes().map(
    (route): Make =>
      (kind, n) => ({
        ...{ route: name(route), about: `all that its schema has room for, ${kind}`, project: projectFor(n) },
        ...{ path: route.path, method: route.method, body: () => typedBody(route.schema, kind) as object },
      }),
  );
}

const OTHER_CASES: readonly Make[] = [
  simple('devices/events', '/api/v1/devices/events', 'many events', deviceEvents),
  simple('scrape/batch', '/api/v1/scrape/batch', 'many addresses', () => ({
    urls: Array.from({ length: 100 }, (_, n) => `http://127.0.0.1:9/${'a'.repeat(4_000)}${n}`),
  })),
  simple('guard, context', GUARD, 'many passages', (kind) => ({
    messages: [{ role: 'user', content: 'Sum up.' }],
    retrieved_context: listOf(kind, 9_000).map((content) => ({ content })),
  })),
  simple('guard, context', GUARD, 'many calls', (kind) => ({
    messages: [{ role: 'user', content: 'Go on.' }],
    context: { tool_calls: callsOf(kind) },
  })),
  simple('scan', '/api/v1/security/scan', 'a text', (kind) => ({
    content: textOf(kind, MOST).slice(0, MOST),
  })),
  simple('redact', '/api/v1/security/redact', 'a text', (kind) => ({
    content: textOf(kind, MOST).slice(0, MOST),
  })),
  ...[['many values', callWithValues] as const, ['a long text', callWithText] as const].flatMap(
    ([shape, make]) => [
      simple('validate-tool', '/api/v1/agent/validate-tool', shape, (kind) => ({
        ...{ agent_id: 'a', tool_name: make(kind).name, arguments: make(kind).args },
      })),
      simple('hooks', '/api/v1/agent/hooks', shape, (kind) => ({
        ...{ hook_event_name: 'PreToolUse', session_id: 's' },
        ...{ tool_name: 'Bash', tool_input: make(kind).args },
      })),
      simple('hooks', '/api/v1/agent/hooks', `result with ${shape}`, (kind) => ({
        ...{ hook_event_name: 'PostToolUse', session_id: 's' },
        ...{ tool_name: 'Read', tool_input: { file_path: '/a' }, tool_response: make(kind).args },
      })),
      simple('mcp', '/api/v1/mcp', shape, (kind) => ({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'validate_tool', arguments: { tool_name: 'x', arguments: make(kind).args } },
      })),
      simple('mcp/notes', '/api/v1/mcp/notes', shape, (kind) => ({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'note', arguments: make(kind).args },
      })),
    ],
  ),
  (kind, n) => ({
    ...simple('mcp/notes', '/api/v1/mcp/notes', 'a long result', () => ({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'note', arguments: {} } },
    }))(kind, n),
    answer: () => ({ body: textOf(kind, 1_000_000) }),
  }),
  ...['many parts', 'a long text'].flatMap((shape) => {
    const text = (kind: string) => (shape === 'a long text' ? textOf(kind, 1_000_000) : listOf(kind, 9_000));
    return [
      simple('completions', '/api/v1/completions', shape, (kind) => ({ model: 'm', prompt: text(kind) })),
      simple('embeddings', '/api/v1/embeddings', shape, (kind) => ({ model: 'm', input: text(kind) })),
      simple('moderations', '/api/v1/moderations', shape, (kind) => ({ input: text(kind) })),
    ];
  }),
  simple('images', '/api/v1/images/generations', 'a long text', (kind) => ({
    prompt: textOf(kind, 1_000_000),
  })),
  simple('chat/completions, files', '/api/v1/chat/completions', 'a text file', (kind) => ({
    model: 'm',
    messages: [{ role: 'user', content: [fileOf(textOf(kind, 1_000_000))] }],
  })),
  simple('guard, files', GUARD, 'many text files', (kind) => ({
    messages: [{ role: 'user', content: listOf(kind, 200).map(fileOf) }],
  })),
  ...dashboardCases(),
  (kind, n) => ({
    ...simple('scrape', '/api/v1/scrape', 'a long page', () => ({ url: 'site' }))(kind, n),
    answer: () => ({
      headers: { 'content-type': 'text/html' },
      body: `<html><body><p>${textOf(kind, 1_000_000)}</p></body></html>`,
    }),
  }),
  ...['a long text', 'many messages', 'a call with many values'].map(
    (shape): Make =>
      (kind, n) => ({
        ...{ route: 'responses over a WebSocket', about: `${shape}, ${kind}`, project: projectFor(n) },
        ...{ path: '/api/v1/responses', isSocket: true },
        body: () => ({
          type: 'response.create',
          ...MODEL_INTERFACES['responses']!.request(SHAPES[shape]!(kind), true),
        }),
        answer: () => MODEL_INTERFACES['responses']!.answer({ text: 'Done.' }, true),
      }),
  ),
];

/** Each route and shape with so many of the kinds of texts. */
export function heavyCases(random: Random, kindsOfEach: number): HeavyCase[] {
  let made = 0;
  // Those of every schema come last: some change the projects.
  return [...guardCases(), ...modelCases(), ...OTHER_CASES, ...typedCases()].flatMap((make) =>
    random
      .shuffled(KINDS)
      .slice(0, kindsOfEach)
      .map((kind) => make(kind, made++)),
  );
}
