import type { ScratchCopy } from './scratch-copy.ts';

/** A step of a recipe: a whole file, or changed lines of one. */
export interface RecipeStep {
  readonly file: string;
  readonly kind: 'new' | 'change';
  readonly text: string;
}

/** Reads code blocks that name a file: ` ```ts a/new/file.ts `, or ` ```diff a/file/that/changes.ts `. */
export function readRecipe(markdown: string): RecipeStep[] {
  return [...markdown.matchAll(/^( *)```(\w+) (\S+)\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = '', language = '', file = '', block = '']) => ({
      file,
      kind: language === 'diff' ? 'change' : 'new',
      text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/** Executes the steps in order; fails if the lines of a change are not found, or found more than once. */
export function followRecipe(copy: ScratchCopy, steps: readonly RecipeStep[]): void {
  for (const { file, kind, text } of steps) {
    copy.write(file, kind === 'new' ? text : changed(file, copy.read(file), text));
  }
}

/** Parts of a change are separated by a line with an ellipsis; its lines begin with a space, a plus or a minus. */
function changed(file: string, before: string, change: string): string {
  let text = before;
  for (const part of change.split('…\n')) {
    const lines = part.split('\n').filter((line) => line !== '');
    const linesOf = (marks: string) =>
      lines
        .filter((line) => marks.includes(line[0]!))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const old = linesOf(' -');
    const found = text.split(old).length - 1;
    if (found !== 1) throw new Error(`${file} has these lines ${found} times:\n${old}`);
    text = text.replace(old, () => linesOf(' +'));
  }
  return text;
}
