import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleFileRanges } from '../../../../shared/detection/index.ts';
import { assertLinear } from '../../../support/cpu-time.ts';

const RULES = '- Use pnpm.\n- Run the tests before you commit.\n';
const partsOf = (text: string) => ruleFileRanges(text).map(({ start, end }) => text.slice(start, end).trim());

test('finds rule files in the format of each agent', () => {
  for (const text of [
    `# AGENTS.md instructions for /home/ana/app\n\n<INSTRUCTIONS>\n${RULES}</INSTRUCTIONS>\nFix it.`,
    `--- Context from: GEMINI.md ---\n${RULES}--- End of Context from: GEMINI.md ---\n\nFix it.`,
    `<rules>\nSome rules:\n<rule name=".cursor/rules/a.mdc">\n${RULES}</rule>\n</rules>\n<user_query>Fix it.</user_query>`,
    `<always_applied_workspace_rule name="AGENTS.md">${RULES}</always_applied_workspace_rule>\nFix it.`,
    `<system-reminder>\nContents of /home/ana/app/CLAUDE.md (project instructions):\n\n${RULES}</system-reminder>\nFix it.`,
    `# .github/copilot-instructions.md\n${RULES}`,
    `Contents of .cursorrules:\n${RULES}`,
    `Contents of .clinerules:\n${RULES}`,
    `Contents of .goosehints:\n${RULES}`,
    `# Agents.MD\n${RULES}`,
  ]) {
    const parts = partsOf(text);
    assert.equal(parts.length, 1, text);
    assert.ok(parts[0]!.includes(RULES.trim()), text);
    assert.doesNotMatch(parts[0]!, /Fix it/, text);
  }
});

test("texts that only mention a rule file are the user's own text", () => {
  for (const text of [
    'Please write an AGENTS.md for this repository. It should tell agents to run the tests.',
    '<rules>\nBe kind.\n</rules>\nTell me a story.',
    '<system-reminder>Your todo list is empty.</system-reminder>',
    '# Title\n\nSee CLAUDE.md for more.',
    '',
  ])
    assert.deepEqual(ruleFileRanges(text), [], text);
});

test('ranges are in order and disjoint', () => {
  const many = `# AGENTS.md\n<INSTRUCTIONS>\n${RULES}</INSTRUCTIONS>\n`.repeat(500);
  const ranges = ruleFileRanges(many);
  assert.equal(ranges.length, 500);
  for (let i = 1; i < ranges.length; i++) assert.ok(ranges[i]!.start >= ranges[i - 1]!.end);
  assert.equal(ruleFileRanges('<rules><rule>AGENTS.md'.repeat(20_000)).length, 1);
});

/** A name in every mix of case: each is a tag of its own. */
const mixedCase = (name: string, mix: number): string =>
  [...name].map((letter, at) => ((mix >> at) & 1 ? letter.toUpperCase() : letter)).join('');

test('texts designed to be slow take linear time', () => {
  const slow: Record<string, (size: number) => string> = {
    'tags that nothing closes': (size) => `AGENTS.md ${'<rules>'.repeat(size)}`,
    'tags that are closed once': (size) => `AGENTS.md ${'<rules>'.repeat(size)}</rules>`,
    'tags in many spellings': (size) =>
      `AGENTS.md ${Array.from({ length: size }, (_, i) => `<${mixedCase('system-reminder', i)}>`).join('')}`,
    headings: (size) => '# AGENTS.md\n--- End of file\n'.repeat(size),
    'headings with a tag that nothing closes': (size) => '# AGENTS.md\n<x>\n--- End of file\n'.repeat(size),
    'headings of nothing': (size) => `AGENTS.md\n${'# a\n'.repeat(size)}`,
    'files after one another': (size) => '<rules>\nAGENTS.md\n</rules>\n# AGENTS.md\n'.repeat(size),
  };
  for (const [name, make] of Object.entries(slow)) assertLinear(name, make, ruleFileRanges, 2_000);
});
