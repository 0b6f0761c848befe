import path from 'node:path';
import { ANSWER_FORMS } from '../../../../test/support/provider/answers.ts';
import type { ProviderRequest, RawReply, Script } from '../../../../test/support/test-provider.ts';
import { errorReply, REFUSALS } from './errors.ts';
import { MCP_TOOL, PAGE_URL, type Step, type Task } from './tasks.ts';

/** A tool as an agent defines it, in any of the interfaces. */
interface Tool extends Parameters {
  readonly name: string;
  /** Of the server that it belongs to; Codex puts it beside the name. */
  readonly namespace?: string;
}

interface Parameters {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
}

interface Property {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  /** Of a list. */
  readonly items?: Property & Partial<Parameters>;
}

interface Call {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly args: object;
}

export const ANSWER = 'All done here.';
/** More than any of the agents keeps without compacting. */
const MANY_TOKENS = 900_000;
/** Of a request for a summary: an agent subtracts it to learn how much was saved. */
const SUMMARY_TOKENS = 5_000;

/**
 * A model that follows the script of a task: each request that offers tools gets the next step, until there is none.
 * What a request says about itself (a title, a topic, a summary) gets the answer at once.
 */
export function scriptOf(task: Task, { workspace, pageUrl }: { workspace: string; pageUrl: string }): Script {
  let at = 0;
  let replies = 0;
  let refused = 0;
  let hasBeenFull = false;
  return (request) => {
    const { url } = request;
    if (request.method !== 'POST' || /count_tokens|countTokens/.test(url)) return {};
    const tools = toolsOf(request);
    if (tools.length > 1 && at === task.steps.length && task.error !== undefined && refused++ < REFUSALS)
      return errorReply(task.error, url);
    let call: Call | null = null;
    // A step for which the agent has no tool is left out.
    while (tools.length > 1 && call === null && at < task.steps.length)
      call = callOf(withPage(task.steps[at++]!, pageUrl), tools, workspace);
    // Once: an agent whose context stays full compacts it for ever.
    const isFull = task.mode === 'compact' && !hasBeenFull && at === task.steps.length;
    hasBeenFull ||= isFull;
    const summary = hasBeenFull && tools.length === 0 ? SUMMARY_TOKENS : null;
    return reply(request, call, ++replies, isFull ? MANY_TOKENS : summary);
  };
}

const withPage = (step: Step, pageUrl: string): Step =>
  step.do === 'shell' ? { ...step, command: step.command.replaceAll(PAGE_URL, pageUrl) } : step;

function reply(
  { url, body }: ProviderRequest,
  call: Call | null,
  number: number,
  tokens: number | null,
): RawReply {
  const says =
    call === null
      ? { text: ANSWER }
      : { toolCalls: [{ name: call.name, arguments: JSON.stringify(call.args) }] };
  const isStream = /"stream"\s*:\s*true/.test(body.toString());
  if (url.includes('models/')) return geminiReply(url, call, number, tokens);
  const form = url.includes('/messages') ? 'messages' : url.includes('/responses') ? 'responses' : 'chat';
  const model = /"model"\s*:\s*"([^"]+)"/.exec(body.toString())?.[1] ?? 'standin';
  const own = (text: string): string =>
    text
      .replaceAll(/(toolu_|call_|msg_|fc_|resp_|item_)(\d+|standin)/g, `$1${number}_$2`)
      .replaceAll(
        '"name":"lookup_note"',
        call?.namespace === undefined ? '$&' : `$&,"namespace":"${call.namespace}"`,
      )
      .replaceAll(
        tokens === null ? /$^/g : /"(input_tokens|prompt_tokens|total_tokens)":\d+/g,
        `"$1":${tokens}`,
      );
  if (!isStream) return { body: own(JSON.stringify(ANSWER_FORMS[form].whole({ ...says, model }))) };
  const frames = ANSWER_FORMS[form].frames({ ...says, model });
  return { headers: { 'content-type': 'text/event-stream' }, body: frames.map(own) };
}

function geminiReply(url: string, call: Call | null, number: number, tokens: number | null): RawReply {
  // Some ask in JSON whether it is the user's turn, or which model is due.
  const text = url.includes(':generateContent')
    ? JSON.stringify({
        reasoning: 'x',
        next_speaker: 'user',
        model_choice: 'pro',
        complexity_reasoning: 'x',
        complexity_score: 10,
      })
    : ANSWER;
  const part =
    call === null ? { text } : { functionCall: { id: `call_${number}`, name: call.name, args: call.args } };
  const promptTokenCount = tokens ?? 9;
  const answer = JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount, candidatesTokenCount: 2, totalTokenCount: promptTokenCount + 2 },
    modelVersion: 'gemini-standin',
  });
  return url.includes(':streamGenerateContent')
    ? { headers: { 'content-type': 'text/event-stream' }, body: `data: ${answer}\r\n\r\n` }
    : { body: answer };
}

function toolsOf({ body }: ProviderRequest): Tool[] {
  // biome-ignore lint/suspicious/noExplicitAny: bodies of four interfaces
  const value: any = parsed(body.toString());
  const declared = (value?.tools ?? []).flatMap(
    (tool: { name?: string; functionDeclarations?: object[]; tools?: object[] }) =>
      tool.functionDeclarations ?? tool.tools?.map((one) => ({ ...one, namespace: tool.name })) ?? [tool],
  );
  // biome-ignore lint/suspicious/noExplicitAny: see above
  return declared.flatMap((tool: any) => {
    const { name, input_schema, parameters, parametersJsonSchema } = tool.function ?? tool;
    const { namespace } = tool;
    const schema = input_schema ?? parameters ?? parametersJsonSchema ?? {};
    return typeof name === 'string'
      ? [{ name, namespace, properties: schema.properties ?? {}, required: schema.required ?? [] }]
      : [];
  });
}

const NAMES: Readonly<Record<Step['do'], RegExp>> = {
  read: /^(?:read|read_files?|view_image)$/i,
  edit: /^(?:edit|replace)$/i,
  shell:
    /^(?:bash|shell|shell_command|exec_command|execute_command|run_shell_command|run_commands|local_shell)$/i,
  mcp: /lookup_note$/,
  find: /^tool_?search$/i,
};

/** Returns the agent's own call for a step; agents without a tool for files use their shell. */
function callOf(step: Step, tools: readonly Tool[], workspace: string): Call | null {
  const isImage = step.do === 'read' && step.file.endsWith('.png');
  const fitting = tools.filter(({ name }) => NAMES[step.do].test(name) && (isImage || name !== 'view_image'));
  const [tool] = fitting;
  if (tool !== undefined) {
    const { name, namespace } = tool;
    return { name, namespace, args: argumentsOf(tool, valuesOf(step, workspace)) };
  }
  const bridge = tools.find(({ name }) => name === 'tool_call');
  if (step.do === 'mcp' && bridge !== undefined)
    return { name: bridge.name, args: { name: MCP_TOOL, arguments: { text: step.text } } };
  if (step.do === 'read') return callOf({ do: 'shell', command: `cat ${step.file}` }, tools, workspace);
  if (step.do === 'edit') {
    const command = `sed -i "s/${step.before}/${step.after}/" ${step.file}`;
    return callOf({ do: 'shell', command }, tools, workspace);
  }
  return null;
}

type Values = readonly (readonly [name: RegExp, value: string])[];

function valuesOf(step: Step, workspace: string): Values {
  switch (step.do) {
    case 'read':
      return [[/path/i, path.join(workspace, step.file)]];
    case 'edit':
      return [
        [/path/i, path.join(workspace, step.file)],
        [/old/i, step.before],
        [/new/i, step.after],
      ];
    case 'shell':
      return [[/^(?:cmd|commands?)$/, step.command]];
    case 'mcp':
      return [[/text/, step.text]];
    case 'find':
      return [[/query/, `select:${step.tool}`]];
  }
}

/** Fills the members that carry the values, also in a list of objects, and whatever else is required. */
function argumentsOf({ properties, required }: Parameters, values: Values): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = values.find(([pattern]) => pattern.test(name))?.[1];
    const { items } = property;
    if (value !== undefined) args[name] = argumentOf(name, property, value);
    else if (items?.properties !== undefined && required.includes(name))
      args[name] = [argumentsOf({ properties: items.properties, required: items.required ?? [] }, values)];
    else if (required.includes(name)) args[name] = anyOf(property);
  }
  return args;
}

function argumentOf(name: string, { type }: Property, value: string): unknown {
  if (type !== 'array') return value;
  // Words of one command, or a list of commands.
  return name === 'commands' ? [value] : ['bash', '-lc', value];
}

function anyOf({ type, enum: allowed }: Property): unknown {
  if (type === 'boolean') return false;
  return allowed?.[0] ?? (type === 'number' ? 1 : 'As asked');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
