/** What the name of a tag, or the words of a label or heading, indicate about the text after it. */
export type Marking = 'document' | 'example' | 'own' | 'unknown';

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Names for text that the model is only meant to read. */
const DOCUMENTS = words(`
  document documents doc docs context contexts passage passages excerpt excerpts snippet snippets chunk chunks source
  sources article articles page pages webpage webpages website site email emails mail mails letter letters transcript
  transcripts ticket tickets review reviews comment comments attachment attachments file files content contents
  knowledge kb faq retrieved retrieval rag search result results data dataset record records row rows text quote quotes
  quotation citation citations post posts thread history log logs report reports resume cv memo memory memories
  observation observations untrusted external html csv json xml pdf diff paste pasted material evidence corpus paragraph
  body article blockquote input inputs message messages conversation contract invoice listing feedback notebook
`);

/** Names for demonstrations: the format of a response, the call of a tool. */
const EXAMPLES = words(`
  example examples sample samples demo demos demonstration demonstrations fewshot shot shots illustration template
  templates
`);

/** Names for parts of the developer's instructions. One of them overrides every document word of a name. */
const OWN = words(`
  instruction instructions rule rules guideline guidelines guidance env environment format formats formatting schema
  reminder reminders role roles task tasks requirement requirements constraint constraints persona personality character
  tone style policy policies preference preferences behavior behaviors behaviour attributes safety security ethics
  ethical tools thinking think thought thoughts reasoning analysis plan planning step steps workflow workflows output
  outputs answer answers parameters params arguments goal goals objective objectives critical important criteria
  capabilities capability limitations warning warnings spec specification structure standards conventions convention
  commands process procedure procedures checklist permissions sandbox mode modes usage directive directives definition
  definitions question questions query identity mission scope strategy approach tips restrictions boundaries settings
  configuration config system permission profile prompt prompts skills agents routine workspace summary response responses initialization profile
`);

/** Names for the output of a tool; `output` and `response` alone are the developer's words for a response. */
const TOOL_OUTPUT =
  /(?:^|_)(?:tool|function|command|terminal|shell|api|search|web|fetch|browser)_?(?:outputs?|responses?|results?)$/;

/** Classifies a name by its words, such as `search_results`, `userRequirements` or `kb:article`. */
export function markingOf(name: string): Marking {
  const parts = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== '');
  if (TOOL_OUTPUT.test(parts.join('_'))) return 'document';
  if (parts.some((part) => EXAMPLES.has(part))) return 'example';
  if (parts.some((part) => OWN.has(part))) return 'own';
  return parts.some((part) => DOCUMENTS.has(part)) ? 'document' : 'unknown';
}
