import type { SlotRole } from '../../text/index.ts';
import type {
  FormatTable,
  FrameRule,
  FrameRules,
  MemberRule,
  MemberRules,
  StreamTable,
  TypeRule,
} from '../tables.ts';
import { COMMON_FRAME, COMMON_MEMBERS, COMMON_NAMES, COMMON_TOPS, COMMON_VALUES } from './common-words.ts';

/**
 * A format's compiled tables: its own, and with lower precedence the positions of texts in all other formats. Only a
 * format's own tables assign trusted roles.
 */
export interface Rules {
  readonly conversation: string;
  readonly roles: ReadonlyMap<string, SlotRole>;
  readonly request: ReadonlyMap<string, Rule>;
  readonly response: ReadonlyMap<string, Rule>;
  readonly members: ReadonlyMap<string, Rule>;
  readonly types: ReadonlyMap<string, BlockType>;
  readonly frame: ReadonlyMap<string, StreamRule>;
  readonly events: ReadonlyMap<string, ReadonlyMap<string, StreamRule>>;
  readonly framing: 'events' | 'lines';
  readonly ends: StreamTable['ends'];
  /** Members that hold identifiers in any JSON of the format. */
  readonly identifiers: ReadonlySet<string>;
  /** Members with which a block of the model is signed. */
  readonly signing: readonly (readonly [name: string, rule: Rule])[];
  readonly words: Words;
}

/** Words of all providers: an exact match cannot be an attack or a secret, and does not affect any other text. */
export interface Words {
  readonly names: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  /** The length is checked first to avoid hashing long texts. */
  readonly maxValueLength: number;
}

export interface Rule extends MemberRule {
  /** False: the rule is another format's, and does not make its texts trusted. */
  readonly isOwn: boolean;
}

export interface BlockType {
  readonly role?: SlotRole | 'speaker' | undefined;
  readonly media?: 'media' | 'file' | undefined;
  readonly members: ReadonlyMap<string, Rule> | null;
  readonly isThought?: true | undefined;
  readonly isOwn: boolean;
}

export interface StreamRule extends Omit<FrameRule, 'goesOn' | 'inside' | 'opens'> {
  readonly isOwn: boolean;
  /** Null: its texts are not continued. */
  readonly position: readonly PositionStep[] | null;
  readonly opens: ReadonlySet<string> | null;
  readonly inside: ReadonlyMap<string, StreamRule> | null;
  /** Members of `inside` that are also read as a whole. */
  readonly whole: readonly { readonly name: string; readonly rule: StreamRule }[];
}

/** A name, or the member of the frame that has the index. */
export type PositionStep = { readonly name: string } | { readonly member: string };

/** `own` null: JSON of an unknown format. */
export function compileRules(own: FormatTable | null, all: readonly FormatTable[], words: Words): Rules {
  const others = all.filter((table) => table !== own);
  const tops = others.flatMap(({ request, response }) => [request.members, response.members]);
  const request = merged({ ...COMMON_TOPS, ...own?.request.members }, tops);
  const response = merged({ ...COMMON_TOPS, ...own?.response.members }, tops);
  const members = merged(
    { ...COMMON_MEMBERS, ...own?.blocks.members },
    others.map((table) => table.blocks.members),
  );
  const isIdentifier = ([, rule]: readonly [string, Rule]) => rule.isOwn && rule.as === 'identifier';
  return {
    conversation: own?.request.conversation ?? '',
    roles: new Map(Object.entries(own?.request.roles ?? {})),
    request,
    response,
    members,
    types: typesOf(own, others),
    ...streamOf(own, others),
    identifiers: new Set([...request, ...response, ...members].filter(isIdentifier).map(([name]) => name)),
    signing: [...members].filter(([, { signs }]) => signs === true),
    words,
  };
}

/** Returns the words of the tables, of the providers in general and of JSON Schema. */
export function wordsOf(tables: readonly FormatTable[]): Words {
  const names = new Set([...split(COMMON_NAMES), ...Object.keys(COMMON_MEMBERS)]);
  const values = new Set(split(COMMON_VALUES));
  for (const { request, response, blocks, stream, words } of tables) {
    const typed = Object.values(blocks.types).map(({ members }) => members ?? {});
    for (const rules of [request.members, response.members, blocks.members, ...typed])
      addAll(names, Object.keys(rules));
    for (const rules of [stream.frame, ...Object.values(stream.events ?? {})])
      addFrameWords(rules, names, values);
    addAll(names, split(words.names));
    const kinds = [blocks.types, request.roles, stream.events ?? {}].flatMap((table) => Object.keys(table));
    addAll(
      values,
      [...kinds, ...split(words.values)].filter((value) => value !== ''),
    );
  }
  return { names, values, maxValueLength: Math.max(...[...values].map((value) => value.length)) };
}

function addAll(set: Set<string>, words: readonly string[]): void {
  for (const word of words) set.add(word);
}

function addFrameWords(rules: FrameRules, names: Set<string>, values: Set<string>): void {
  for (const [name, rule] of Object.entries(rules)) {
    names.add(name);
    if (rule.inside !== undefined) addFrameWords(rule.inside, names, values);
    for (const [type, [, event]] of Object.entries(rule.opensByType ?? {})) {
      values.add(type);
      values.add(event);
    }
  }
}

const split = (words: string): string[] => words.split(/\s+/).filter((word) => word !== '');

/** Among other formats the first with a rule for the name takes precedence. */
function merged(own: MemberRules | undefined, others: readonly MemberRules[]): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>();
  for (const [name, rule] of Object.entries(own ?? {})) rules.set(name, { ...rule, isOwn: true });
  for (const table of others) {
    for (const [name, rule] of Object.entries(table)) {
      if (!rules.has(name)) rules.set(name, { ...rule, isOwn: false });
    }
  }
  return rules;
}

/** Returns a table's members without those of other formats; null if it has none. */
function mergedOf(members: MemberRules | undefined, isOwn: boolean): ReadonlyMap<string, Rule> | null {
  if (members === undefined) return null;
  return isOwn ? merged(members, []) : merged({}, [members]);
}

function typesOf(own: FormatTable | null, others: readonly FormatTable[]): ReadonlyMap<string, BlockType> {
  const types = new Map<string, BlockType>([['', { role: 'speaker', members: null, isOwn: true }]]);
  const add = (table: Readonly<Record<string, TypeRule>>, isOwn: boolean): void => {
    for (const [type, { role, media, members, isThought }] of Object.entries(table)) {
      if (types.has(type)) continue;
      types.set(type, { role, media, isThought, isOwn, members: mergedOf(members, isOwn) });
    }
  };
  if (own !== null) add(own.blocks.types, true);
  for (const table of others) add(table.blocks.types, false);
  return types;
}

function streamOf(
  own: FormatTable | null,
  others: readonly FormatTable[],
): Pick<Rules, 'frame' | 'events' | 'framing' | 'ends'> {
  const frame = new Map<string, StreamRule>();
  const events = new Map<string, Map<string, StreamRule>>();
  const add = ({ stream }: FormatTable, isOwn: boolean): void => {
    addFrameRules(frame, stream.frame, isOwn);
    for (const [type, rules] of Object.entries(stream.events ?? {})) {
      const known = events.get(type) ?? new Map<string, StreamRule>();
      events.set(type, addFrameRules(known, rules, isOwn));
    }
  };
  if (own !== null) add(own, true);
  addFrameRules(frame, COMMON_FRAME, true);
  for (const table of others) add(table, false);
  const { framing = 'events', ends } = own?.stream ?? {};
  return { frame, events, ends, framing: framing === 'events' ? 'events' : 'lines' };
}

function addFrameRules(
  known: Map<string, StreamRule>,
  rules: FrameRules,
  isOwn: boolean,
): Map<string, StreamRule> {
  for (const [name, { goesOn, inside, opens, ...rule }] of Object.entries(rules)) {
    if (known.has(name)) continue;
    const within = inside === undefined ? null : addFrameRules(new Map(), inside, isOwn);
    known.set(name, {
      ...rule,
      isOwn,
      position: goesOn === undefined ? null : stepsOf(goesOn),
      opens: opens === undefined ? null : new Set(opens),
      inside: within,
      whole: [...(within ?? [])].flatMap(([member, of]) =>
        of.as === undefined ? [] : [{ name: member, rule: of }],
      ),
    });
  }
  return known;
}

function stepsOf(position: string): PositionStep[] {
  const names = position.split('/').filter((name) => name !== '');
  return names.map((name) => (name.startsWith('{') ? { member: name.slice(1, -1) } : { name }));
}
