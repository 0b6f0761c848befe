import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A program of docs/examples as shown on a page. Its first line, a comment on how to run it, is omitted. */
export function makeExample(root: string, name: string): string {
  const text = readFileSync(path.join(root, 'docs/examples', name), 'utf8');
  return `\`\`\`js\n${text.slice(text.indexOf('\n') + 1).trimEnd()}\n\`\`\``;
}
