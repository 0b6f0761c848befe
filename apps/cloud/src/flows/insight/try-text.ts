import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CodedError,
  type Direction,
  PLAYGROUND_CHARACTERS,
  type PlaygroundRequest,
  type PlaygroundResponse,
  STRICTNESS_LEVELS,
  type UntrustedData,
  USE_CASES,
} from '@csg/shared/contract';
import {
  attributeFindings,
  type DecideOptions,
  decide,
  explain,
  type Finding,
  resolveRuleset,
  UnscannableTextError,
  type Verdict,
} from '@csg/shared/detection';
import { readGuardRequest, redactedMessages } from '@csg/shared/providers';
import { applyReplacements, type Replacement, type TextSlot } from '@csg/shared/text';
import type { ProjectRuleset, Scanner } from '../../detection-workers/scanner.ts';
import type { Storage } from '../../storage/storage.ts';
import { settingsOf } from '../authenticate-key.ts';
import type { Clock } from '../clock.ts';
import { rulesetInput } from '../ruleset-input.ts';
import { unscannableVerdict } from '../unscannable.ts';

export interface TryTextDeps {
  readonly scanner: Pick<Scanner, 'ruleset' | 'scan'>;
  readonly storage: Pick<Storage, 'projects' | 'policies'>;
  readonly clock: Clock;
}

/** Weighing words takes a scan for each word, so longer texts get only their findings. */
const WEIGHED_CHARACTERS = 3_000;
const MAX_SHOWN = 200;

/** Returns the verdict on a text or conversation, its reasons, and the verdict of every preset. Stores nothing. */
export async function tryText(
  deps: TryTextDeps,
  organizationId: string,
  request: PlaygroundRequest,
): Promise<PlaygroundResponse> {
  const input = readInput(request);
  const { slots, direction } = input;
  const startedMs = deps.clock.elapsed();
  const { ruleset, untrustedData } = await rulesetOf(deps, organizationId, request);
  const owner = { organizationId, deviceId: null };
  const tried = async (by: ProjectRuleset, rules = by.compiled, options: DecideOptions = {}) => {
    const found = deps.scanner.scan(owner, slots, by, direction);
    return await found.then(
      (findings) => decide(input.attribute(findings), rules, direction, options),
      verdictOfError,
    );
  };
  const verdict = await tried(ruleset, resolveRuleset(ruleset.compiled, { atMs: deps.clock.now() }), {
    ...(untrustedData === undefined ? {} : { untrustedData }),
  });
  const processingMs = deps.clock.elapsed() - startedMs;

  const presets: PlaygroundResponse['presets'] = [];
  for (const useCase of USE_CASES) {
    for (const strictness of STRICTNESS_LEVELS) {
      const preset = deps.scanner.ruleset({ useCase, strictness, policies: [] });
      const seen = await tried(preset);
      presets.push({
        use_case: useCase,
        strictness_level: strictness,
        decision: seen.decision,
        threat_type: seen.threatType,
        confidence: seen.confidence,
      });
    }
    await nextTurn();
  }
  const { text, role = 'user' } = request;
  const words =
    text !== undefined && text.length <= WEIGHED_CHARACTERS
      ? explain(text, role, ruleset.compiled, direction).words
      : [];
  return {
    decision: verdict.decision,
    threat_type: verdict.threatType,
    confidence: verdict.confidence,
    threats: [...verdict.threats],
    findings: verdict.findings
      .slice(0, MAX_SHOWN)
      .map((finding) => findingRecord(finding, input.messageOf(finding.slot))),
    words: words.map(({ start, end, weight, meaning }) => ({ start, end, weight, meaning })),
    ...(verdict.decision === 'redact'
      ? input.redacted(verdict.replacements)
      : { redacted: null, redacted_messages: null }),
    presets,
    processing_ms: Math.round(processingMs * 1000) / 1000,
  };
}

interface TriedInput {
  readonly slots: readonly TextSlot[];
  readonly direction: Direction;
  attribute(findings: readonly Finding[]): readonly Finding[];
  messageOf(slot: number): number;
  redacted(
    replacements: ReadonlyMap<number, readonly Replacement[]>,
  ): Pick<PlaygroundResponse, 'redacted' | 'redacted_messages'>;
}

function readInput(request: PlaygroundRequest): TriedInput {
  const { text, messages } = request;
  if ((text === undefined) === (messages === undefined)) throw badInput('Send either `text` or `messages`.');
  return messages === undefined ? readText(request, text!) : readConversation(messages);
}

function readText({ role = 'user', direction = 'input' }: PlaygroundRequest, text: string): TriedInput {
  return {
    slots: [{ path: '', role, text }],
    direction,
    attribute: (findings) => findings,
    messageOf: () => 0,
    redacted: (replacements) => ({
      redacted: applyReplacements(text, replacements.get(0) ?? []),
      redacted_messages: null,
    }),
  };
}

/** Reads the conversation as guard does. One that ends with a message of the model is evaluated as a response. */
function readConversation(messages: NonNullable<PlaygroundRequest['messages']>): TriedInput {
  if (messages.reduce((sum, { content }) => sum + content.length, 0) > PLAYGROUND_CHARACTERS) {
    throw badInput(`A conversation can have at most ${PLAYGROUND_CHARACTERS} characters in total.`);
  }
  const direction = messages.at(-1)?.role === 'assistant' ? 'output' : 'input';
  const conversation = readGuardRequest({ messages }, () => JSON.stringify({ messages }));
  const { slots } = conversation;
  return {
    slots,
    direction,
    attribute: (findings) => attributeFindings(findings, conversation, { direction }),
    messageOf: (slot) => Number(slots[slot]?.path.split('/')[2] ?? 0),
    redacted: (replacements) => ({
      redacted: null,
      redacted_messages: redactedMessages({ messages }, slots, replacements).map(({ content }) => content),
    }),
  };
}

function badInput(message: string): CodedError {
  return new CodedError('invalid_request', { message });
}

/** A text that cannot be scanned is blocked; if the engine cannot run, that is reported. */
function verdictOfError(cause: unknown): Verdict {
  if (cause instanceof CodedError || cause instanceof UnscannableTextError) return unscannableVerdict(cause);
  throw new CodedError('detection_unavailable', {
    cause,
    message: 'The text was not tested because the engine could not run.',
  });
}

/** Returns the ruleset and, for a project, its setting for untrusted data; undefined: the default. */
async function rulesetOf(
  { scanner, storage }: TryTextDeps,
  organizationId: string,
  request: PlaygroundRequest,
): Promise<{ readonly ruleset: ProjectRuleset; readonly untrustedData?: UntrustedData }> {
  const { project_id: projectId } = request;
  if (projectId === undefined) {
    const ruleset = scanner.ruleset({
      useCase: request.use_case ?? 'default',
      strictness: request.strictness_level ?? 'moderate',
      policies: [],
    });
    return { ruleset };
  }
  const project = await storage.projects.get(organizationId, projectId);
  if (project === null)
    throw new CodedError('not_found', { message: 'No such project: project_id is unknown.' });
  const policies = await storage.policies.listActive(organizationId, projectId);
  return {
    ruleset: scanner.ruleset(rulesetInput(project, policies)),
    untrustedData: settingsOf(project).settings.untrusted_data,
  };
}

function findingRecord({ rule, type, start, end, confidence, reason }: Finding, message: number) {
  return { message, rule, type, start, end, confidence, reason };
}
