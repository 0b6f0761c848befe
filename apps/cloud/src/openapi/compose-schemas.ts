type Json = Record<string, unknown>;

/** Minimum number of common properties that justify a composition. */
const MIN_PROPERTIES = 3;

interface Shape {
  readonly name: string;
  /** Each property as JSON text: equal texts are equal schemas. */
  readonly properties: ReadonlyMap<string, string>;
  readonly required: readonly string[];
}

/**
 * Writes each named schema as a composition of the schemas it fully contains and its own properties, so that
 * compositions in the contract (`...exceptionSchema.properties`) also appear in the document. The schemas accept and
 * reject the same values as before.
 */
export function composeSchemas(schemas: Readonly<Record<string, Json>>): Record<string, Json> {
  const shapes = Object.entries(schemas)
    .flatMap(([name, schema]) => shapeOf(name, schema))
    .sort((a, b) => b.properties.size - a.properties.size);
  const composed = shapes.map((shape) => [shape.name, compose(shape, schemas[shape.name]!, shapes)] as const);
  return { ...schemas, ...Object.fromEntries(composed) };
}

/** Returns none for schemas that are not objects, or are closed to other properties: they would reject those. */
function shapeOf(name: string, { type, properties, required = [], ...more }: Json): Shape[] {
  if (type !== 'object' || properties === undefined || 'additionalProperties' in more) return [];
  const texts = Object.entries(properties as Json).map(
    ([key, value]) => [key, JSON.stringify(value)] as const,
  );
  return [{ name, properties: new Map(texts), required: required as string[] }];
}

/** @param shapes sorted from largest to smallest */
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

/**
 * Returns whether a schema may contain another. A response contains no request; of two equal schemas, only a request
 * may contain one that is not a request.
 */
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
