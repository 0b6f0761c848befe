/** A general entity: name and text. XML's own are left to the parser. */
const DEFINITION = /<!ENTITY\s+(?!(?:amp|lt|gt|quot|apos)\s)([\w.:-]+)\s+(?:"([^"]*)"|'([^']*)')/g;
const REFERENCE = /&([\w.:-]+);/g;
/** Entities that define further ones. */
const PARAMETER_ENTITY = /<!ENTITY\s+%/;
const MAX_EXPANDED_CHARACTERS = 1_000_000;
const MAX_DEPTH = 10;

export interface ExpandedXml {
  readonly xml: string;
  /** False if a reader may know more entities, or expand them further. */
  readonly isWhole: boolean;
}

/** Replaces references to the entities that the document defines in itself by their texts. */
export function expandEntities(xml: string): ExpandedXml {
  if (!xml.includes('<!ENTITY')) return { xml, isWhole: true };
  const entities = new Map<string, string>();
  // The first definition of a name counts.
  for (const [, name = '', double, single] of xml.matchAll(DEFINITION))
    if (!entities.has(name)) entities.set(name, double ?? single ?? '');
  let text = xml;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const expanded = expandOnce(text, entities, xml.length + MAX_EXPANDED_CHARACTERS);
    if (expanded === null) return { xml: text, isWhole: false };
    if (!expanded.isChanged) return { xml: text, isWhole: !PARAMETER_ENTITY.test(xml) };
    text = expanded.text;
  }
  return { xml: text, isWhole: false };
}

/** Null if the result is too long. */
function expandOnce(
  text: string,
  entities: ReadonlyMap<string, string>,
  maxLength: number,
): { text: string; isChanged: boolean } | null {
  let length = text.length;
  let isChanged = false;
  const expanded = text.replace(REFERENCE, (reference, name: string) => {
    const value = entities.get(name);
    if (value === undefined) return reference;
    isChanged = true;
    length += value.length;
    return length > maxLength ? '' : value;
  });
  return length > maxLength ? null : { text: expanded, isChanged };
}
