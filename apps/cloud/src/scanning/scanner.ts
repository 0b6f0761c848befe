import type { Direction, PiiType } from '@csg/shared/contract';
import {
  compileRuleset,
  type Finding,
  type RedactResult,
  type Ruleset,
  type RulesetInput,
  redactPii,
  scan,
} from '@csg/shared/detection';
import type { TextSlot } from '@csg/shared/text';
import { Piscina } from 'piscina';
import type { Classifier } from './classifier.ts';
import type { ScanMemory } from './scan-memory.ts';
import type { RedactJob, ScanJob, ScanResult } from './scan-worker.ts';
import { isUncertain, withSecondOpinion } from './second-opinion.ts';
import { createTurnQueue } from './turn-queue.ts';

/** A ruleset with what a worker needs to compile the same one. */
export interface ProjectRuleset {
  readonly key: string;
  readonly input: RulesetInput;
  readonly compiled: Ruleset;
  /** No other has it while the process runs. */
  readonly number: number;
  /** Under whose eyes texts are judged by it: what is found is remembered for that. Null: it is not remembered. */
  readonly scope: string | null;
}

export interface Scanner {
  /**
   * Short texts are scanned at the end of the turn, long ones in a worker thread. Rejects when the deadline passes or
   * the engine fails. `told`: for answers, what the model was told before.
   */
  scan(
    slots: readonly TextSlot[],
    ruleset: ProjectRuleset,
    direction: Direction,
    told?: readonly TextSlot[],
  ): Promise<readonly Finding[]>;
  redact(text: string, types: readonly PiiType[]): RedactResult | Promise<RedactResult>;
  /** `organizationId`: whose; left out for texts that are not worth remembering. */
  ruleset(input: RulesetInput, organizationId?: string): ProjectRuleset;
  close(): Promise<void>;
}

/** Above this many characters a scan leaves the event loop; handing 20 KB over costs about as much as scanning 5. */
const INLINE_CHARACTERS = 24_000;
/** Customers' own patterns may cost more. */
const INLINE_CHARACTERS_CUSTOM = 4_000;
/** Characters scanned in one turn of the event loop, give or take a text: some milliseconds. */
const TURN_CHARACTERS = 48_000;
const MAX_RULESETS = 1_000;

/** A slot as a worker needs it. What stays behind is only for the record: a path can be longer than its text. */
function bare({ role, text, isKey, isNumber }: TextSlot): TextSlot {
  return { path: '', role, text, ...(isKey ? { isKey } : {}), ...(isNumber ? { isNumber } : {}) };
}

export interface ScannerOptions {
  readonly workers: number;
  readonly deadlineMs: number;
  /** Asked where the engine is not sure. */
  readonly classifier?: Classifier | undefined;
  /** Of texts that are sent again. */
  readonly memory?: ScanMemory | undefined;
}

export function createScanner(options: ScannerOptions): Scanner {
  const rulesets = new Map<string, ProjectRuleset>();
  let compiled = 0;
  const turns = createTurnQueue(TURN_CHARACTERS);
  let pool: Piscina | undefined;

  function startPool(): Piscina {
    pool ??= new Piscina({
      filename: new URL('./scan-worker.ts', import.meta.url).href,
      minThreads: 1,
      maxThreads: options.workers,
      idleTimeout: 60_000,
      maxQueue: 10_000,
      // The event loop goes first where both want the same core. Elsewhere this is not a thread's own.
      ...(process.platform === 'linux' ? { niceIncrement: 5 } : {}),
    });
    return pool;
  }

  function inWorker<Job, T>(name: string, job: Job): Promise<T> {
    return startPool().run(job, { signal: AbortSignal.timeout(options.deadlineMs), name });
  }

  function isShort(characters: number, most = INLINE_CHARACTERS): boolean {
    return characters <= most || options.workers === 0;
  }

  const scanAlone: Scanner['scan'] = async (slots, ruleset, direction, told = []) => {
    const memory =
      ruleset.scope === null ? undefined : options.memory?.recall(ruleset.scope, slots, direction);
    let characters = 0;
    for (const [index, { text }] of slots.entries())
      if (memory?.recall(index) === undefined) characters += text.length;
    for (const { text } of told) characters += text.length;
    const { custom } = ruleset.compiled;
    const most = custom === null ? INLINE_CHARACTERS : INLINE_CHARACTERS_CUSTOM / custom.weight;
    if (isShort(characters, most))
      return turns.run(characters, () => scan(slots, ruleset.compiled, direction, told, memory));
    const { findings, read } = await inWorker<ScanJob, ScanResult>('scanInWorker', {
      slots: slots.map(bare),
      told: told.map(bare),
      known: slots.map((_slot, index) => memory?.recall(index)),
      ruleset: ruleset.input,
      rulesetKey: ruleset.key,
      direction,
    });
    for (const { index, found } of read) memory?.keep(index, found);
    return findings;
  };

  return {
    async scan(slots, ruleset, direction, told) {
      const findings = await scanAlone(slots, ruleset, direction, told);
      const { classifier } = options;
      return classifier !== undefined && findings.some(isUncertain)
        ? withSecondOpinion(slots, findings, classifier)
        : findings;
    },
    redact(text, types) {
      if (isShort(text.length)) return redactPii(text, types);
      return inWorker<RedactJob, RedactResult>('redactInWorker', { text, types });
    },
    ruleset(input, organizationId) {
      const key = JSON.stringify(input);
      let ruleset = rulesets.get(key);
      if (ruleset === undefined) {
        ruleset = { key, input, compiled: compileRuleset(input), number: ++compiled, scope: null };
        if (rulesets.size >= MAX_RULESETS) rulesets.clear();
        rulesets.set(key, ruleset);
      }
      return organizationId === undefined
        ? ruleset
        : { ...ruleset, scope: `${organizationId} ${ruleset.number}` };
    },
    async close() {
      await Promise.all([pool?.destroy(), options.classifier?.close()]);
    },
  };
}
