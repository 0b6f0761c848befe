/** The part of the ONNX format (protobuf) that a tiny text classifier needs. onnx/onnx, onnx.proto3. */

type Bytes = Uint8Array;

function varint(value: number): number[] {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
  out.push(Number(rest));
  return out;
}

/** A field with a number, a text, or bytes such as another message. */
function field(number: number, value: number | string | Bytes): Bytes {
  if (typeof value === 'number') return Uint8Array.from([...varint(number * 8), ...varint(value)]);
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  return Uint8Array.from([...varint(number * 8 + 2), ...varint(bytes.length), ...bytes]);
}

function message(...fields: readonly Bytes[]): Bytes {
  return Uint8Array.from(fields.flatMap((one) => [...one]));
}

const FLOAT = 1;
const INT64 = 7;

function node(
  operator: string,
  inputs: readonly string[],
  output: string,
  ...attributes: readonly Bytes[]
): Bytes {
  return field(
    1,
    message(
      ...inputs.map((input) => field(1, input)),
      field(2, output),
      field(4, operator),
      ...attributes.map((attribute) => field(5, attribute)),
    ),
  );
}

const intAttribute = (name: string, value: number) => message(field(1, name), field(3, value), field(20, 2));

function tensor(name: string, type: number, dims: readonly number[], raw: Bytes): Bytes {
  return field(
    5,
    message(...dims.map((dim) => field(1, dim)), field(2, type), field(8, name), field(9, raw)),
  );
}

const floats = (values: readonly number[]) => new Uint8Array(Float32Array.from(values).buffer);
const longs = (values: readonly number[]) => new Uint8Array(BigInt64Array.from(values, BigInt).buffer);

function valueInfo(number: number, name: string, type: number, dims: readonly string[]): Bytes {
  const shape = message(...dims.map((dim) => field(1, message(field(2, dim)))));
  return field(
    number,
    message(field(1, name), field(2, message(field(1, message(field(1, type), field(2, shape)))))),
  );
}

/**
 * A model whose logits are the sum of two weights per token: `harmless` and `attack`. A slow one first multiplies
 * matrices with this many rows for nothing.
 */
export function tinyClassifier(
  weights: readonly (readonly [harmless: number, attack: number])[],
  slowRows = 0,
): Bytes {
  const slow = slowRows > 0;
  const nodes = [
    node('Gather', ['weights', 'input_ids'], 'picked'),
    node('Cast', ['attention_mask'], 'mask', intAttribute('to', FLOAT)),
    node('Unsqueeze', ['mask', 'last'], 'column'),
    node('Mul', ['picked', 'column'], 'counted'),
    node('ReduceSum', ['counted', 'middle'], slow ? 'quick' : 'logits', intAttribute('keepdims', 0)),
  ];
  const large = [
    node('ConstantOfShape', ['size'], 'zeros'),
    node('ReduceSum', ['mask'], 'one', intAttribute('keepdims', 0)),
    node('Add', ['zeros', 'one'], 'm0'),
    ...Array.from({ length: 12 }, (_, i) => node('MatMul', [`m${i}`, 'm0'], `m${i + 1}`)),
    node('ReduceMin', ['m12'], 'least', intAttribute('keepdims', 0)),
    node('Mul', ['least', 'nothing'], 'zero'),
    node('Add', ['quick', 'zero'], 'logits'),
  ];
  const graph = message(
    ...nodes,
    ...(slow ? large : []),
    field(2, 'tiny'),
    tensor('weights', FLOAT, [weights.length, 2], floats(weights.flat())),
    tensor('last', INT64, [1], longs([2])),
    tensor('middle', INT64, [1], longs([1])),
    ...(slow
      ? [tensor('size', INT64, [2], longs([slowRows, slowRows])), tensor('nothing', FLOAT, [], floats([0]))]
      : []),
    valueInfo(11, 'input_ids', INT64, ['batch', 'tokens']),
    valueInfo(11, 'attention_mask', INT64, ['batch', 'tokens']),
    valueInfo(12, 'logits', FLOAT, ['batch', 'labels']),
  );
  return message(field(1, 8), field(8, message(field(1, ''), field(2, 13))), field(7, graph));
}
