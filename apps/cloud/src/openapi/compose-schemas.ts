type Json = Record<string, unknown>;

/** Fewer properties in common are not worth a composition. */
const MIN_PROPERTIES = 3;

interface Shape {
  readonly name: string;
  /** Each property as text: equal texts are equal schemas. */
  readonly properties: ReadonlyMap<string, string>;
  readonly required: readonly string[];
}

/**
 * Named schemas, each of them written as those that it contains whole and the properties of its own: what the contract
 * composes (`...exceptionSchema.properties`) is composed in the document, too. Accepts and rejects the same values.
 */
export function composeSchemas(schemas: Readonly<Record<string, Json>>): Record<string, Json> {
  const shapes = Object.entries(schemas)
    .flatMap(([name, schema]) => shapeOf(name, schema))
    .sort((a, b) => b.properties.size - a.properties.size);
  const composed = shapes.map((shape) => [shape.name, compose(shape, schemas[shape.name]!, shapes)] as const);
  return { ...schemas, ...Object.fromEntries(composed) };
}

/** None for what is no object, or closed to properties that it does not name: it would reject those of the others. */
function shapeOf(name: string, { type, properties, required = [], ...more }: Json): Shape[] {
  if (type !== 'object' || properties === undefined || 'additionalProperties' in more) return [];
  const texts = Object.entries(properties as Json).map(
    ([key, value]) => [key, JSON.stringify(value)] as const,
  );
  return [{ name, properties: new Map(texts), required: required as string[] }];
}

/** @param shapes the largest first */
function compose(whole: Shape, schema: Json, shapes: readonly Shape[]): Json {
  const { type, properties, required, ...about } = schema;
  const own = new Map(Object.entries(properties as Json));
  const bases: string[] = [];
  const given = new Set<string>();
  for (const part of shapes) {
    const adds = [...part.properties.keys()].filter((key) => own.has(key));
    if (adds.length < MIN_PROPERTIES || !isPart(part, whole)) continue;
    bases.push(part.name);
    for (const key of adds) own.delete(key);
    for (const key of part.required) given.add(key);
  }
  if (bases.length === 0) return schema;
  const needed = whole.required.filter((key) => !given.has(key));
  const rest = {
    type,
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(own.size === 0 ? {} : { properties: Object.fromEntries(own) }),
  };
  const references = bases.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return { allOf: references, ...rest, ...about };
}

/** A response is not composed of a request. Of two equal shapes only a request refers to what is none. */
function isPart(part: Shape, whole: Shape): boolean {
  const [isPartRequest, isWholeRequest] = [part, whole].map(({ name }) => name.endsWith('Request'));
  if (isPartRequest && !isWholeRequest) return false;
  const isSmaller =
    (isWholeRequest && !isPartRequest) ||
    part.properties.size < whole.properties.size ||
    part.required.length < whole.required.length;
  return (
    isSmaller &&
    part.required.every((key) => whole.required.includes(key)) &&
    [...part.properties].every(([key, text]) => whole.properties.get(key) === text)
  );
}
