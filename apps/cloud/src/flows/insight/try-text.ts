import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CodedError,
  type Direction,
  PLAYGROUND_CHARACTERS,
  type PlaygroundRequest,
  type PlaygroundResponse,
  STRICTNESS_LEVELS,
  USE_CASES,
} from '@csg/shared/contract';
import {
  decide,
  decideNow,
  NO_ANSWERS,
  rulesOfPreset,
  type TriedRules,
  type TriedTexts,
  triedFacts,
  triedText,
} from '@csg/shared/decision';
import {
  type Finding,
  type ReadingShare,
  readingShares,
  resolveRuleset,
  UnscannableTextError,
  type WeighedWord,
  Workspace,
  weighWords,
} from '@csg/shared/detection';
import { readGuardRequest, redactedMessages } from '@csg/shared/providers';
import { applyReplacements, finish, type Replacement, type TextSlot } from '@csg/shared/text';
import type { ProjectRuleset, Scanner } from '../../detection-workers/scanner.ts';
import type { Storage } from '../../storage/storage.ts';
import { settingsOf } from '../authenticate-key.ts';
import type { Clock } from '../clock.ts';
import { findAllowedTexts, textKeys } from '../decision/allowed-texts.ts';
import { rulesetInput } from '../ruleset-input.ts';

export interface TryTextDeps {
  readonly scanner: Pick<Scanner, 'ruleset' | 'scan'>;
  readonly storage: Pick<Storage, 'allowedTexts' | 'projects' | 'policies'>;
  readonly clock: Clock;
  readonly log: { error(fields: object, message: string): void };
}

/** Weighing words takes a scan for each word, so longer texts get only their findings. */
const WEIGHED_CHARACTERS = 3_000;
/** Other requests are served between two slices of this length. */
const SLICE_MS = 10;
const MAX_SHOWN = 200;

/** Returns the verdict on a text or conversation, its reasons, and the verdict of every preset. Stores nothing. */
export async function tryText(
  deps: TryTextDeps,
  organizationId: string,
  request: PlaygroundRequest,
): Promise<PlaygroundResponse> {
  const input = readInput(request);
  const { conversation, direction } = input;
  const startedMs = deps.clock.elapsed();
  const { ruleset, untrustedData } = await rulesetOf(deps, organizationId, request);
  const scope = { organizationId, projectId: request.project_id ?? null };
  const scan = (by: ProjectRuleset) =>
    deps.scanner
      .scan({ organizationId, deviceId: null }, conversation.slots, by, direction)
      .catch(unscannable);
  const compiled = resolveRuleset(ruleset.compiled, { atMs: deps.clock.now() });
  const facts = triedFacts(input, await scan(ruleset), { ruleset: compiled, untrustedData });
  const textKeyOf = textKeys(deps, scope, conversation.slots);
  const verdict = await decide(facts, async (question) =>
    question.ask === 'allowedTexts'
      ? { allowedTexts: await findAllowedTexts(deps, scope, question.findings, textKeyOf) }
      : NO_ANSWERS,
  );
  const processingMs = deps.clock.elapsed() - startedMs;

  const presets: PlaygroundResponse['presets'] = [];
  for (const useCase of USE_CASES) {
    for (const strictness of STRICTNESS_LEVELS) {
      const preset = deps.scanner.ruleset({ useCase, strictness, policies: [] });
      const seen = decideNow(
        triedFacts(input, await scan(preset), rulesOfPreset(preset.compiled, strictness)),
      );
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
  const { words, readings } =
    request.text !== undefined && request.text.length <= WEIGHED_CHARACTERS
      ? await weigh(conversation.slots.find(({ text }) => text === request.text)!, ruleset, direction)
      : NOT_WEIGHED;
  const isAttack = verdict.findings.some(({ pii }) => pii === undefined);
  return {
    decision: verdict.decision,
    threat_type: verdict.threatType,
    confidence: verdict.confidence,
    threats: [...verdict.threats],
    findings: verdict.findings
      .slice(0, MAX_SHOWN)
      .map((finding) => findingRecord(finding, input.messageOf(finding.slot))),
    words: words.map(({ start, end, weight, meaning }) => ({ start, end, weight, meaning })),
    readings: isAttack ? readings.map(({ rule, share }) => ({ rule, share })) : [],
    ...(verdict.decision === 'redact'
      ? input.redacted(verdict.replacements)
      : { redacted: null, redacted_messages: null }),
    presets,
    processing_ms: Math.round(processingMs * 1000) / 1000,
  };
}

interface Weighed {
  readonly words: readonly WeighedWord[];
  readonly readings: readonly ReadingShare[];
}

const NOT_WEIGHED: Weighed = { words: [], readings: [] };

/** Weighs the words in slices. */
async function weigh(slot: TextSlot, { compiled }: ProjectRuleset, direction: Direction): Promise<Weighed> {
  const words: WeighedWord[] = [];
  const weighed = [slot, compiled, direction, new Workspace()] as const;
  let sliceMs = performance.now();
  for (const word of weighWords(...weighed)) {
    words.push(word);
    if (performance.now() - sliceMs < SLICE_MS) continue;
    await nextTurn();
    sliceMs = performance.now();
  }
  return { words, readings: readingShares(...weighed) };
}

interface TriedInput extends TriedTexts {
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

function readText({ role = 'user', direction }: PlaygroundRequest, text: string): TriedInput {
  const tried = triedText(text, role, direction);
  const slot = tried.conversation.slots.findIndex((one) => one.text === text);
  return {
    ...tried,
    messageOf: () => 0,
    redacted: (replacements) => ({
      redacted: applyReplacements(text, replacements.get(slot) ?? []),
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
    conversation,
    direction,
    messageOf: (slot) => Number(slots[slot]?.path.split('/')[2] ?? 0),
    redacted: (replacements) => ({
      redacted: null,
      redacted_messages: finish(redactedMessages({ messages }, slots, replacements)).map(
        ({ content }) => content,
      ),
    }),
  };
}

function badInput(message: string): CodedError {
  return new CodedError('invalid_request', { message });
}

/** If the engine cannot run, that is reported. */
function unscannable(cause: unknown) {
  if (cause instanceof CodedError) throw cause;
  if (cause instanceof UnscannableTextError) return { kind: 'unscannable', cause } as const;
  throw new CodedError('detection_unavailable', {
    cause,
    message: 'The text was not tested because the engine could not run.',
  });
}

/** Returns the ruleset and the setting for untrusted data: of a project, or of a preset alone. */
async function rulesetOf(
  { scanner, storage }: TryTextDeps,
  organizationId: string,
  request: PlaygroundRequest,
): Promise<{ readonly ruleset: ProjectRuleset } & Pick<TriedRules, 'untrustedData'>> {
  const { project_id: projectId } = request;
  if (projectId === undefined) {
    const strictness = request.strictness_level ?? 'moderate';
    const ruleset = scanner.ruleset({ useCase: request.use_case ?? 'default', strictness, policies: [] });
    return { ruleset, untrustedData: rulesOfPreset(ruleset.compiled, strictness).untrustedData };
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
