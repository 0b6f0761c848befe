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
   * Short texts are scanned at once, long ones in a worker thread. Rejects when the deadline passes or the engine fails.
   * `told`: for answers, what the model was told before.
   */
  scan(
    slots: readonly TextSlot[],
    ruleset: ProjectRuleset,
    direction: Direction,
    told?: readonly TextSlot[],
  ): readonly Finding[] | Promise<readonly Finding[]>;
  redact(text: string, types: readonly PiiType[]): RedactResult | Promise<RedactResult>;
  /** `organizationId`: whose; left out for texts that are not worth remembering. */
  ruleset(input: RulesetInput, organizationId?: string): ProjectRuleset;
  close(): Promise<void>;
}

/** Above this many characters a scan leaves the event loop; handing 20 KB over costs about as much as scanning 5. */
const INLINE_CHARACTERS = 24_000;
/** Customers' own patterns may cost more. */
const INLINE_CHARACTERS_CUSTOM = 4_000;
const MAX_RULESETS = 1_000;

/** A slot as a worker needs it. What stays behind is only for the record: a path can be longer than its text. */
function bare({ role, text, isKey }: TextSlot): TextSlot {
  return { path: '', role, text, ...(isKey ? { isKey } : {}) };
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
  let pool: Piscina | undefined;

  function startPool(): Piscina {
    pool ??= new Piscina({
      filename: new URL('./scan-worker.ts', import.meta.url).href,
      minThreads: 1,
      maxThreads: options.workers,
      idleTimeout: 60_000,
      maxQueue: 10_000,
    });
    return pool;
  }

  function inWorker<T>(name: string, job: ScanJob | RedactJob): Promise<T> {
    return startPool().run(job, { signal: AbortSignal.timeout(options.deadlineMs), name });
  }

  function isShort(characters: number, most = INLINE_CHARACTERS): boolean {
    return characters <= most || options.workers === 0;
  }

  const scanAlone: Scanner['scan'] = (slots, ruleset, direction, told = []) => {
    const memory =
      ruleset.scope === null ? undefined : options.memory?.recall(ruleset.scope, slots, direction);
    const known = slots.map((_slot, index) => memory?.recall(index));
    let characters = 0;
    for (const [index, slot] of slots.entries())
      if (known[index] === undefined) characters += slot.text.length;
    for (const slot of told) characters += slot.text.length;
    const { custom } = ruleset.compiled;
    const most = custom === null ? INLINE_CHARACTERS : INLINE_CHARACTERS_CUSTOM / custom.weight;
    if (isShort(characters, most)) return scan(slots, ruleset.compiled, direction, told, memory);
    const { input, key } = ruleset;
    const job: ScanJob = {
      slots: slots.map(bare),
      told: told.map(bare),
      known,
      ruleset: input,
      rulesetKey: key,
      direction,
    };
    return inWorker<ScanResult>('scanInWorker', job).then(({ findings, read }) => {
      for (const { index, found } of read) memory?.keep(index, found);
      return findings;
    });
  };

  return {
    scan(slots, ruleset, direction, told) {
      const findings = scanAlone(slots, ruleset, direction, told);
      const { classifier } = options;
      if (classifier === undefined) return findings;
      if (findings instanceof Promise)
        return findings.then((found) => withSecondOpinion(slots, found, classifier));
      return findings.some(isUncertain) ? withSecondOpinion(slots, findings, classifier) : findings;
    },
    redact(text, types) {
      if (isShort(text.length)) return redactPii(text, types);
      return inWorker('redactInWorker', { text, types } satisfies RedactJob);
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
