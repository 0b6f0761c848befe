import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CodedError,
  type PlaygroundRequest,
  type PlaygroundResponse,
  STRICTNESS_LEVELS,
  USE_CASES,
} from '@csg/shared/contract';
import {
  decide,
  explain,
  type Finding,
  resolveRuleset,
  UnscannableTextError,
  type Verdict,
} from '@csg/shared/detection';
import { applyReplacements, type TextSlot } from '@csg/shared/text';
import type { ProjectRuleset, Scanner } from '../../detection-workers/scanner.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { rulesetInput } from '../ruleset-input.ts';
import { unscannableVerdict } from '../unscannable.ts';

export interface TryTextDeps {
  readonly scanner: Pick<Scanner, 'ruleset' | 'scan'>;
  readonly storage: Pick<Storage, 'projects' | 'policies'>;
  readonly clock: Clock;
}

/** Weighing words costs a reading for each: of longer texts only the findings are told. */
const WEIGHED_CHARACTERS = 3_000;
const MAX_SHOWN = 200;

/** What a text would meet: the verdict, where it comes from, and what every preset says. Stores nothing. */
export async function tryText(
  deps: TryTextDeps,
  organizationId: string,
  request: PlaygroundRequest,
): Promise<PlaygroundResponse> {
  const { text, role = 'user', direction = 'input' } = request;
  const slots: readonly TextSlot[] = [{ path: '', role, text }];
  const startedMs = deps.clock.elapsed();
  const ruleset = await rulesetOf(deps, organizationId, request);
  const owner = { organizationId, deviceId: null };
  const tried = async (by: ProjectRuleset, rules = by.compiled): Promise<Verdict> => {
    const found = deps.scanner.scan(owner, slots, by, direction);
    return await found.then((findings) => decide(findings, rules, direction), verdictOfError);
  };
  const verdict = await tried(ruleset, resolveRuleset(ruleset.compiled, { atMs: deps.clock.now() }));
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
  const words =
    text.length <= WEIGHED_CHARACTERS ? explain(text, role, ruleset.compiled, direction).words : [];
  return {
    decision: verdict.decision,
    threat_type: verdict.threatType,
    confidence: verdict.confidence,
    threats: [...verdict.threats],
    findings: verdict.findings.slice(0, MAX_SHOWN).map(findingRecord),
    words: words.map(({ start, end, weight, meaning }) => ({ start, end, weight, meaning })),
    redacted:
      verdict.decision === 'redact' ? applyReplacements(text, verdict.replacements.get(0) ?? []) : null,
    presets,
    processing_ms: Math.round(processingMs * 1000) / 1000,
  };
}

/** A text that cannot be scanned is blocked; an engine that cannot run is said. */
function verdictOfError(cause: unknown): Verdict {
  if (cause instanceof CodedError || cause instanceof UnscannableTextError) return unscannableVerdict(cause);
  throw new CodedError('detection_unavailable', {
    cause,
    message: 'The text was not tried, because the engine could not run.',
  });
}

async function rulesetOf(
  { scanner, storage }: TryTextDeps,
  organizationId: string,
  request: PlaygroundRequest,
): Promise<ProjectRuleset> {
  const { project_id: projectId } = request;
  if (projectId === undefined) {
    return scanner.ruleset({
      useCase: request.use_case ?? 'default',
      strictness: request.strictness_level ?? 'moderate',
      policies: [],
    });
  }
  const project = await storage.projects.get(organizationId, projectId);
  if (project === null)
    throw new CodedError('not_found', { message: 'There is no project with this project_id.' });
  return scanner.ruleset(rulesetInput(project, await storage.policies.listActive(organizationId, projectId)));
}

function findingRecord({ rule, type, start, end, confidence, reason }: Finding) {
  return { rule, type, start, end, confidence, reason };
}
