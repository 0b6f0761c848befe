import { WITHHELD } from '../../../shared/detection/index.ts';
import { createConversationScorer } from './score-conversations.ts';

/** A text that a coding agent's tool returned. */
export interface FileRow {
  readonly text: string;
  readonly category: string;
}

/** How many benign texts of a category were changed. */
export interface FileShare {
  readonly name: string;
  readonly total: number;
  readonly secrets: number;
  readonly personalData: number;
  readonly withheld: number;
}

const SECRET = '[API_KEY]';
const READ_FILE = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
};
const TOOLS = [{ type: 'function', function: READ_FILE }];

/**
 * Evaluates them in a coding agent's form: results of a file-reading tool, in a request that defines it, with the
 * default preset.
 */
export function evaluateFiles(rows: readonly FileRow[]): FileShare[] {
  const score = createConversationScorer({ useCase: 'default', strictness: 'moderate' });
  const groups = new Map<string, FileShare>();
  for (const { text, category } of rows) {
    const { isRejected, replacements } = score(conversationWith(text), TOOLS);
    const masks = replacements.filter((mask) => mask !== WITHHELD);
    const lost = {
      secrets: masks.includes(SECRET),
      personalData: masks.some((mask) => mask !== SECRET),
      withheld: isRejected || replacements.includes(WITHHELD),
    };
    for (const name of [category, 'all']) {
      const { total, secrets, personalData, withheld } = groups.get(name) ?? NONE;
      groups.set(name, {
        name,
        total: total + 1,
        secrets: secrets + Number(lost.secrets),
        personalData: personalData + Number(lost.personalData),
        withheld: withheld + Number(lost.withheld),
      });
    }
  }
  return [...groups.values()].sort((a, b) => b.total - a.total);
}

const NONE = { total: 0, secrets: 0, personalData: 0, withheld: 0 };

function conversationWith(content: string): readonly object[] {
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: READ_FILE.name, arguments: '{"path":"file"}' },
  };
  return [
    { role: 'user', content: 'Have a look at the file.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content },
  ];
}
