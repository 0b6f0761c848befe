import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { RULE_SETS } from '../../../shared/detection/rules/index.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';

/** So many patterns as a gateway that blocks by patterns has. */
const PATTERNS = 100;

/** RE2 itself, as a program of its own. */
export interface Re2Set {
  /** Median time per KB of UTF-8 over some seconds; microseconds. */
  usPerKb(seconds: number): number;
}

/**
 * RE2's set of 100 patterns (the engine's rules, and their keywords as words) over `texts`. Undefined where `g++` or
 * RE2's headers (`libre2-dev`) are missing.
 */
export function openRe2Set(texts: readonly string[]): Re2Set | undefined {
  const folder = tempFolder('re2-set');
  const program = path.join(folder, 're2-set');
  const source = path.join(import.meta.dirname, 're2-set.cc');
  const { status } = spawnSync('g++', ['-O2', '-o', program, source, '-lre2'], { stdio: 'ignore' });
  if (status !== 0) return undefined;
  const rules = Object.values(RULE_SETS).flat();
  const words = [...new Set(rules.flatMap(({ keywords }) => keywords))].map(
    (word) => `\\b${word.replaceAll(/[^\w ]/g, '\\$&')}\\b`,
  );
  const patterns = [...rules.map(({ pattern }) => pattern), ...words].slice(0, PATTERNS);
  const [patternFile, textFile] = [path.join(folder, 'patterns'), path.join(folder, 'texts')];
  writeFileSync(patternFile, patterns.map((pattern) => `(?i)${pattern}\0`).join(''));
  writeFileSync(textFile, texts.map((text) => `${text.replaceAll('\0', ' ')}\0`).join(''));
  return {
    usPerKb(seconds) {
      const { stdout, error } = spawnSync(program, [patternFile, textFile, String(seconds)]);
      if (error !== undefined) throw error;
      const result = JSON.parse(stdout.toString()) as { readonly patterns: number; readonly usPerKb: number };
      if (result.patterns !== PATTERNS)
        throw new Error(`RE2 took ${result.patterns} of ${PATTERNS} patterns`);
      return result.usPerKb;
    },
  };
}
