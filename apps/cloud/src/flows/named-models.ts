/** Conversations, schemas and labels, in which a member named `model` selects nothing. */
const CONTENT: ReadonlySet<string> = new Set([
  ...['messages', 'input', 'contents', 'content', 'system', 'prompt', 'instructions', 'metadata', 'labels'],
  ...[
    'parameters',
    'input_schema',
    'parametersJsonSchema',
    'response_format',
    'responseSchema',
    'properties',
  ],
]);
const LISTS: ReadonlySet<string> = new Set(['models', 'fallbacks', 'fallback_models']);
/** Deeper than any documented member that names a model. */
const MAX_DEPTH = 8;

/**
 * Returns every model that a request may select: the given one, lists of fallbacks, and the models of inner requests and
 * tools. Gemini's names are without `models/`.
 */
export function namedModels(model: string | null, body: unknown): ReadonlySet<string | null> {
  return new Set([model, ...modelsIn(body, '', 0).map((name) => name.replace(/^models\//, ''))]);
}

/** `name`: the member with this value, or with its list. */
function modelsIn(value: unknown, name: string, depth: number): readonly string[] {
  if (typeof value === 'string') {
    // The model of the body itself is known: that of the address comes before it.
    return LISTS.has(name) || (name === 'model' && depth > 1) ? [value] : [];
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || CONTENT.has(name)) return [];
  const members = Array.isArray(value)
    ? value.map((item) => [name, item] as const)
    : Object.entries(value as object);
  return members.flatMap(([of, member]) => modelsIn(member, of, depth + 1));
}
