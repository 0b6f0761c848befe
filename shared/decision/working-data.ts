import { type DeviceReading, WORKING_TYPES, type WorkingType } from '../contract/index.ts';
import type { Finding } from '../detection/index.ts';
import {
  isCodeTool,
  isJsonObject,
  readDefinedTools,
  readResultTools,
  readToolCallsInSteps,
} from '../providers/index.ts';
import { type Conversation, done, nameWords, pausing, type Steps, type TextSlot } from '../text/index.ts';

/** Personal data in a conversation with tools that is an agent's working data: it is reported and not masked. */
export interface WorkingData {
  /**
   * The types that are working data in a text, whatever the value: in calls and results all, in users' messages those
   * that a tool has a parameter for.
   */
  typesIn(slot: TextSlot): Steps<readonly WorkingType[]>;
  /** True for a value in the model's words if a call, a result or a user's message has it. */
  isCarried(value: string): Steps<boolean>;
}

const isWorkingType = (pii: Finding['pii']): pii is WorkingType => WORKING_TYPES.some((type) => type === pii);

/** Returns whether a finding is working data. */
export function* isWorking({ pii, start, end }: Finding, slot: TextSlot, data: WorkingData): Steps<boolean> {
  if (!isWorkingType(pii)) return false;
  if (slot.role === 'assistant') return yield* data.isCarried(slot.text.slice(start, end));
  return (yield* data.typesIn(slot)).includes(pii);
}

/**
 * Reads the working data of a request, and only when it is asked. `isGuard`: calls count, too, because guard is asked
 * about them without the definitions of their tools.
 */
export function workingData(request: unknown, { slots }: Conversation, isGuard = false): WorkingData {
  let read: Agent | undefined;
  function* agent(): Steps<Agent> {
    read ??= yield* readAgent(request, slots, isGuard);
    return read;
  }
  return {
    *typesIn(slot) {
      switch (slot.role) {
        case 'tool_call':
        case 'tool_result':
          return (yield* agent()).hasTools ? WORKING_TYPES : NONE;
        case 'document': {
          const { hasTools, isResult } = yield* agent();
          return hasTools && (yield* isResult(slot.path)) ? WORKING_TYPES : NONE;
        }
        case 'user':
          return (yield* agent()).takes;
        default:
          return NONE;
      }
    },
    *isCarried(value) {
      const { hasTools, isCarried } = yield* agent();
      return hasTools && (yield* isCarried(value));
    },
  };
}

/** Returns what a device has told of each of its texts, by path. */
export function toldWorkingData({ texts }: DeviceReading): (slot: TextSlot) => WorkingData {
  const byPath = new Map(texts.map((one) => [one.path, one]));
  return ({ path }) => {
    const told = byPath.get(path);
    return {
      typesIn: () => done(told?.working ?? NONE),
      isCarried: (value) => done(told?.carried?.includes(value) ?? false),
    };
  };
}

const NONE: readonly WorkingType[] = [];

interface Agent {
  readonly hasTools: boolean;
  /** The types that a tool has a parameter for; none without tools. */
  readonly takes: readonly WorkingType[];
  readonly isResult: (path: string) => Steps<boolean>;
  /** True for a value of a call, a result or a user. */
  readonly isCarried: (value: string) => Steps<boolean>;
}

function* readAgent(request: unknown, slots: readonly TextSlot[], isGuard: boolean): Steps<Agent> {
  const tools = [...readDefinedTools(request).values()].filter(({ name }) => name.trim() !== '');
  yield;
  const hasTools = tools.length > 0 || (isGuard && (yield* readToolCallsInSteps(request)).length > 0);
  const takes = new Set<WorkingType>();
  for (const { name, parameters, schema } of tools) {
    if (isCodeTool(name, parameters)) for (const type of WORKING_TYPES) takes.add(type);
    else yield* addParameters(takes, schema, 0);
    if (takes.size === WORKING_TYPES.length) break;
    yield;
  }
  let toolOf: ((path: string) => string | null) | undefined;
  let carried: readonly string[] | undefined;
  const known = new Map<string, boolean>();
  return {
    hasTools,
    takes: WORKING_TYPES.filter((type) => takes.has(type)),
    *isResult(path) {
      toolOf ??= yield* readResultTools(request);
      return toolOf(path) !== null;
    },
    *isCarried(value) {
      const before = known.get(value);
      if (before !== undefined || known.size >= MAX_VALUES) return before ?? false;
      carried ??= yield* carriedTexts(slots);
      const is = yield* isInSome(carried, value.toLowerCase());
      known.set(value, is);
      return is;
    },
  };
}

/** Characters that are searched between two pauses. */
const SEARCHED = 262_144;

/** Returns what may carry values, in lower case: short texts together, because there can be many. */
function* carriedTexts(slots: readonly TextSlot[]): Steps<string[]> {
  const texts: string[] = [];
  let short = '';
  yield* pausing(
    slots,
    ({ role, text }) => {
      if (!CARRIES.has(role)) return;
      short += `${text.toLowerCase()}\n`;
      if (short.length < SEARCHED) return;
      texts.push(short);
      short = '';
    },
    4,
  );
  return [...texts, short];
}

function* isInSome(texts: readonly string[], value: string): Steps<boolean> {
  for (const text of texts)
    for (let from = 0; from < text.length; from += SEARCHED) {
      if (text.slice(from, from + SEARCHED + value.length).includes(value)) return true;
      yield;
    }
  return false;
}

/** Further values of the model's words are masked: each is searched for in the whole conversation. */
const MAX_VALUES = 200;
const CARRIES: ReadonlySet<TextSlot['role']> = new Set(['user', 'tool_call', 'tool_result']);

const WORDS: Readonly<Record<WorkingType, ReadonlySet<string>>> = {
  email: new Set(
    'email emails mail mails to cc bcc recipient recipients sender attendee attendees participant participants invitee invitees'.split(
      ' ',
    ),
  ),
  phone: new Set('phone phones telephone tel mobile msisdn fax sms whatsapp'.split(' ')),
  ip_address: new Set('ip ips ipv4 ipv6 host hosts hostname server'.split(' ')),
};
const FORMATS: Readonly<Record<WorkingType, ReadonlySet<unknown>>> = {
  email: new Set(['email', 'idn-email']),
  phone: new Set(['phone', 'tel']),
  ip_address: new Set(['ipv4', 'ipv6', 'ip', 'hostname']),
};
const MAX_DEPTH = 8;

/** Adds the types of values that a schema has a parameter for, by its name or its format. */
function* addParameters(takes: Set<WorkingType>, schema: unknown, depth: number): Steps<void> {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(schema)) for (const one of schema) yield* addParameters(takes, one, depth + 1);
  if (!isJsonObject(schema)) return;
  addTypes(takes, (type) => FORMATS[type].has(schema['format']));
  const { properties } = schema as { readonly properties?: unknown };
  const own = Object.entries(isJsonObject(properties) ? properties : {});
  for (const [at, [name, inner]] of own.entries()) {
    const words = nameWords(name);
    addTypes(takes, (type) => words.some((word) => WORDS[type].has(word)));
    yield* addParameters(takes, inner, depth + 1);
    if (at % STRIDE === 0) yield;
  }
  for (const name of NESTED) yield* addParameters(takes, schema[name], depth + 1);
}

function addTypes(takes: Set<WorkingType>, isOf: (type: WorkingType) => boolean): void {
  for (const type of WORKING_TYPES) if (isOf(type)) takes.add(type);
}

/** Parameters that are read between two pauses. */
const STRIDE = 64;
const NESTED = ['items', 'anyOf', 'oneOf', 'allOf'] as const;
