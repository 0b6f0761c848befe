import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followRecipe, readRecipe } from './recipe.ts';

const RECIPE = `# Add something

1. Write it:

   \`\`\`ts src/new.ts
   export const one = 1;
   \`\`\`

2. Name it:

   \`\`\`diff src/list.ts
    import './a.ts';
   +import './new.ts';
   …
   -const list = ['a'];
   +const list = ['a', 'new'];
   \`\`\`

\`\`\`sh
npm test
\`\`\`
`;

function copyOf(files: Record<string, string>) {
  return {
    root: '',
    read: (file: string) => files[file] ?? '',
    write(file: string, text: string) {
      files[file] = text;
    },
    run: () => ({ passed: true, output: '' }),
  };
}

test('reads blocks that name a file as steps, without the indentation of their list', () => {
  assert.deepEqual(
    readRecipe(RECIPE).map(({ kind, file }) => [kind, file]),
    [
      ['new', 'src/new.ts'],
      ['change', 'src/list.ts'],
    ],
  );
});

test('steps write files and change lines', () => {
  const files = { 'src/list.ts': "import './a.ts';\n\nconst list = ['a'];\n" };
  followRecipe(copyOf(files), readRecipe(RECIPE));
  assert.deepEqual(files, {
    'src/new.ts': 'export const one = 1;\n',
    'src/list.ts': "import './a.ts';\nimport './new.ts';\n\nconst list = ['a', 'new'];\n",
  });
});

test('lines that are missing or not unique make a step fail', () => {
  const files = { 'src/list.ts': "import './b.ts';\n" };
  assert.throws(
    () => followRecipe(copyOf(files), readRecipe(RECIPE)),
    /src\/list.ts has these lines 0 times/,
  );
  files['src/list.ts'] = "import './a.ts';\nimport './a.ts';\n";
  assert.throws(() => followRecipe(copyOf(files), readRecipe(RECIPE)), /2 times/);
});
