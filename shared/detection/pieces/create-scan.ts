import type { Direction } from '../../contract/index.ts';
import type { TextSlot } from '../../text/index.ts';
import { type ScanOptions, scan } from '../engine.ts';
import { reversed } from '../normalize/letter-shifts.ts';
import { spelledEmails } from '../pii/spelled-email.ts';
import { piiSpans } from '../redact-pii.ts';
import type { Ruleset } from '../ruleset.ts';
import type { Finding } from '../types.ts';
import { Workspace } from '../workspace.ts';
import { OptInGate } from './opt-in-gate.ts';
import { ReleaseGate } from './release-gate.ts';

/** The scan of one text that arrives in pieces. */
export interface PiecewiseScan {
  /**
   * Adds a piece. Returns the length of the text that can be released: no finding begins or ends in it, whatever
   * follows, except findings of the whole response (repeated instructions).
   */
  push(piece: string): number;
  /** Returns the findings of the text, which are those of `scan`. */
  end(): Finding[];
}

/** Scans a text in pieces. Only a model's response to a person is released early: everything else is evaluated whole. */
export function createScan(
  slot: Omit<TextSlot, 'text'>,
  ruleset: Ruleset,
  direction: Direction,
  options: ScanOptions = {},
): PiecewiseScan {
  const { workspace = new Workspace() } = options;
  const pieces: string[] = [];
  const isReleased = direction === 'output' && slot.role === 'assistant' && ruleset.custom === null;
  const gate = new ReleaseGate((part) => hasFindings(part, slot, ruleset, workspace));
  const optIn = new OptInGate(ruleset.output.optIn, workspace);
  return {
    push(piece) {
      pieces.push(piece);
      return isReleased ? Math.min(gate.push(piece), optIn.push(piece)) : 0;
    },
    end: () => scan([{ ...slot, text: pieces.join('') }], ruleset, direction, { ...options, workspace }),
  };
}

/**
 * Also covers detectors that run only if something elsewhere in the text triggers them: spelled-out addresses, reversed
 * lines.
 */
function hasFindings(
  part: string,
  slot: Omit<TextSlot, 'text'>,
  ruleset: Ruleset,
  workspace: Workspace,
): boolean {
  return (
    scan([{ ...slot, text: part }], ruleset, 'output', { workspace }).length > 0 ||
    spelledEmails(part).length > 0 ||
    piiSpans(reversed(part, workspace), undefined, workspace).length > 0
  );
}
