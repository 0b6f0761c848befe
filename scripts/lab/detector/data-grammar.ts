import type { Random } from '../../../test/support/random.ts';
import type { Row } from './examples.ts';
import { expand, roughen, type Slots } from './grammar/expand.ts';
import { GRAMMAR_SLOTS, readGrammar } from './grammar.ts';

type Families = Readonly<Record<string, readonly string[]>>;
const readFamilies = (name: string): Families => Object.fromEntries(readGrammar(name));

const { deed: ACTIONS = [], bend: MANIPULATIONS = [], ...ORDER_FAMILIES } = readFamilies('orders-in-data');
const { short: SHORT_ORDERS = [], framed: _framed, ...UNFRAMED } = ORDER_FAMILIES;
const FOREIGN_ORDERS = readFamilies('foreign-orders');
const DOCUMENTS = readFamilies('documents');
const WEB_PAGES = readFamilies('web-pages');
const MAIL_AND_RECORDS = readFamilies('mail-and-records');

const ORDERS = [
  ...Object.values(UNFRAMED).flat(),
  ...SHORT_ORDERS,
  ...ACTIONS,
  ...ACTIONS,
  ...MANIPULATIONS,
  ...MANIPULATIONS,
];
const SLOTS: Slots = { ...GRAMMAR_SLOTS, ...readFamilies('document-slots'), order: ORDERS, order2: ORDERS };
const PER_ORDER = 160;
const PER_ACTION = 700;
const PER_FOREIGN = 80;
const PER_PAGE = 600;
const PER_DOCUMENT = 240;

/** Every seventh template is held out (category `held:`). */
function collect(label: 0 | 1, families: Families, count: number, random: Random) {
  const rows: Row[] = [];
  const seen = new Set<string>();
  for (const [family, templates] of Object.entries(families)) {
    for (const [number, template] of templates.entries()) {
      for (let i = 0; i < count; i++) {
        const text = roughen(expand(template, SLOTS, random), random);
        if (seen.has(text)) continue;
        seen.add(text);
        const category = `${number % 7 === 3 ? 'held:' : 'grammar:'}data-${family}`;
        rows.push({
          id: `d${label}-${rows.length}`,
          text,
          label,
          category,
          source: 'grammar',
          role: 'document',
        });
      }
    }
  }
  return rows;
}

/** Synthetic instructions to an assistant, as they are hidden in data. */
export function dataOrders(random: Random): Row[] {
  return [
    ...collect(1, ORDER_FAMILIES, PER_ORDER, random),
    ...collect(1, { deed: ACTIONS, bend: MANIPULATIONS }, PER_ACTION, random),
    ...collect(1, FOREIGN_ORDERS, PER_FOREIGN, random),
  ];
}

/** Synthetic emails, records, tables, conversations, pages and code. */
export function dataDocuments(random: Random): Row[] {
  return [
    ...collect(0, DOCUMENTS, PER_DOCUMENT, random),
    ...collect(0, WEB_PAGES, PER_PAGE, random),
    ...collect(0, MAIL_AND_RECORDS, PER_DOCUMENT, random),
  ];
}

/** Both of them, separately. */
export function dataGrammar(random: Random): Row[] {
  return [...dataOrders(random), ...dataDocuments(random)];
}

/** Inserts `order` into `carrier`: in a field, on a line of its own, or between two sentences. */
export function hideOrder(carrier: Row, order: Row, random: Random): Row {
  const { text } = carrier;
  const cuts = [...text.matchAll(/[.!?] +|\n+|": "|"content": "|> ?/g)].map(
    (cut) => cut.index + cut[0].length,
  );
  const dice = random.next();
  const at = dice < 0.12 ? 0 : dice < 0.35 || cuts.length === 0 ? text.length : random.pick(cuts);
  const before = text.slice(0, at);
  const field = /": "$/.test(before);
  const gap = () => (field ? ' ' : random.pick([' ', ' ', '\n', '\n', '\n\n']));
  const inserted = field ? order.text.replace(/"/g, "'").replace(/\n/g, '\\n') : order.text;
  const head = at === 0 || field ? before : before.trimEnd() + gap();
  const tail = text.slice(at);
  const rest = field && random.chance(0.6) ? tail.slice(Math.max(0, tail.search(/"[,}\]]/))) : tail;
  return {
    ...order,
    id: `${order.id}+${carrier.id}`,
    text: head + inserted + (rest === '' ? '' : gap() + rest.trimStart()),
    span: [head.length, head.length + inserted.length],
  };
}

/** Returns a section of at most `longest` + 150 characters, starting at the beginning of a line. */
export function cutOut(row: Row, longest: number, random: Random): Row {
  const size = 150 + random.below(longest);
  if (row.text.length <= size) return row;
  const from = row.text.indexOf('\n', random.below(row.text.length - size)) + 1;
  return { ...row, text: row.text.slice(from, from + size) };
}
