import { finish, type Steps } from './steps.ts';

/** Readings of JSON in which an object repeats a member name. */
export interface RepeatedMembers {
  /** As a parser reads it that takes the first of repeated members. */
  readonly first: unknown;
  /** Every object as a list of objects with one member each, so that no value is lost. */
  readonly all: unknown;
}

/** `text` is valid JSON. Linear, at any depth. */
export function readRepeatedMembers(text: string): RepeatedMembers {
  return { first: finish(build(text, firstMembers)), all: finish(everyMember(text)) };
}

/** Returns the second of these readings. */
export function everyMember(text: string): Steps<unknown> {
  return build(text, membersAsObjects);
}

interface Container {
  readonly value: object;
  readonly isArray: boolean;
  add(name: string, member: unknown): void;
}

function firstMembers(): Container {
  const value = {};
  return {
    ...{ value, isArray: false },
    add(name, member) {
      if (Object.hasOwn(value, name)) return;
      // An assignment to `__proto__` would not create a member.
      Object.defineProperty(value, name, {
        ...{ value: member, enumerable: true, writable: true, configurable: true },
      });
    },
  };
}

function membersAsObjects(): Container {
  const value: object[] = [];
  return {
    value,
    isArray: false,
    add: (name, member) => void value.push(Object.fromEntries([[name, member]])),
  };
}

function array(): Container {
  const value: unknown[] = [];
  return { value, isArray: true, add: (_name, member) => void value.push(member) };
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s,:{}[\]"]+/g;

/** Without recursion: deep JSON would overflow the stack. */
function* build(text: string, createObject: () => Container): Steps<unknown> {
  const open: Container[] = [];
  let name: string | null = null;
  let root: unknown = null;
  const put = (value: unknown): void => {
    const within = open.at(-1);
    if (within === undefined) root = value;
    else within.add(name ?? '', value);
    name = null;
  };
  for (const [token] of text.matchAll(TOKEN)) {
    yield;
    if (token === '}' || token === ']') open.pop();
    else if (token === '{' || token === '[') {
      const container = token === '{' ? createObject() : array();
      put(container.value);
      open.push(container);
    } else if (name === null && open.at(-1)?.isArray === false) name = JSON.parse(token) as string;
    else put(JSON.parse(token));
  }
  return root;
}
