import { type DeviceReading, WORKING_TYPES, type WorkingType } from '../contract/index.ts';
import type { Finding } from '../detection/index.ts';
import {
  isCodeTool,
  isJsonObject,
  readDefinedTools,
  readResultTools,
  readToolCalls,
} from '../providers/index.ts';
import { type Conversation, nameWords, type TextSlot } from '../text/index.ts';

/** Personal data in a conversation with tools that is an agent's working data: it is reported and not masked. */
export interface WorkingData {
  /**
   * The types that are working data in a text, whatever the value: in calls and results all, in users' messages those
   * that a tool has a parameter for.
   */
  typesIn(slot: TextSlot): readonly WorkingType[];
  /** True for a value in the model's words if a call, a result or a user's message has it. */
  isCarried(value: string): boolean;
}

const isWorkingType = (pii: Finding['pii']): pii is WorkingType => WORKING_TYPES.some((type) => type === pii);

/** Returns whether a finding is working data. */
export function isWorking({ pii, start, end }: Finding, slot: TextSlot, data: WorkingData): boolean {
  if (!isWorkingType(pii)) return false;
  if (slot.role === 'assistant') return data.isCarried(slot.text.slice(start, end));
  return data.typesIn(slot).includes(pii);
}

/**
 * Reads the working data of a request, and only when it is asked. `isGuard`: calls count, too, because guard is asked
 * about them without the definitions of their tools.
 */
export function workingData(request: unknown, { slots }: Conversation, isGuard = false): WorkingData {
  let read: Agent | undefined;
  const agent = (): Agent => {
    read ??= readAgent(request, slots, isGuard);
    return read;
  };
  return {
    typesIn(slot) {
      switch (slot.role) {
        case 'tool_call':
        case 'tool_result':
          return agent().hasTools ? WORKING_TYPES : NONE;
        case 'document':
          return agent().hasTools && agent().isResult(slot.path) ? WORKING_TYPES : NONE;
        case 'user':
          return agent().hasTools ? agent().takes : NONE;
        default:
          return NONE;
      }
    },
    isCarried: (value) => agent().hasTools && agent().isCarried(value),
  };
}

/** Returns what a device has told of each of its texts, by path. */
export function toldWorkingData({ texts }: DeviceReading): (slot: TextSlot) => WorkingData {
  const byPath = new Map(texts.map((one) => [one.path, one]));
  return ({ path }) => {
    const told = byPath.get(path);
    return {
      typesIn: () => told?.working ?? NONE,
      isCarried: (value) => told?.carried?.includes(value) ?? false,
    };
  };
}

const NONE: readonly WorkingType[] = [];

interface Agent {
  readonly hasTools: boolean;
  /** The types that a tool has a parameter for. */
  readonly takes: readonly WorkingType[];
  isResult(path: string): boolean;
  /** True for a value of a call, a result or a user. */
  isCarried(value: string): boolean;
}

function readAgent(request: unknown, slots: readonly TextSlot[], isGuard: boolean): Agent {
  const tools = [...readDefinedTools(request).values()].filter(({ name }) => name.trim() !== '');
  const calls = isGuard ? readToolCalls(request) : [];
  const takes = WORKING_TYPES.filter((type) =>
    tools.some(
      ({ name, parameters, schema }) => isCodeTool(name, parameters) || hasParameter(schema, type, 0),
    ),
  );
  let toolOf: ((path: string) => string | null) | undefined;
  let carried: string | undefined;
  const known = new Map<string, boolean>();
  return {
    hasTools: tools.length > 0 || calls.length > 0,
    takes,
    isResult(path) {
      toolOf ??= readResultTools(request);
      return toolOf(path) !== null;
    },
    isCarried(value) {
      const before = known.get(value);
      if (before !== undefined || known.size >= MAX_VALUES) return before ?? false;
      carried ??= slots
        .flatMap(({ role, text }) => (CARRIES.has(role) ? [text] : []))
        .join('\n')
        .toLowerCase();
      const is = carried.includes(value.toLowerCase());
      known.set(value, is);
      return is;
    },
  };
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

/** True if a schema has a parameter for such values, by its name or its format. */
function hasParameter(schema: unknown, type: WorkingType, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(schema)) return schema.some((one) => hasParameter(one, type, depth + 1));
  if (!isJsonObject(schema)) return false;
  if (FORMATS[type].has(schema['format'])) return true;
  const { properties } = schema as { readonly properties?: unknown };
  const own = isJsonObject(properties) ? Object.entries(properties) : [];
  return (
    own.some(
      ([name, inner]) =>
        nameWords(name).some((word) => WORDS[type].has(word)) || hasParameter(inner, type, depth + 1),
    ) || NESTED.some((name) => hasParameter(schema[name], type, depth + 1))
  );
}

const NESTED = ['items', 'anyOf', 'oneOf', 'allOf'] as const;
