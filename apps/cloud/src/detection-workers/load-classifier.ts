import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';

/** The used part of onnxruntime-node. The package is large and optional, so its types are not installed. */
interface Runtime {
  readonly InferenceSession: { create(file: string, options: object): Promise<Session> };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
}
interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(
    feeds: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, { readonly data: Float32Array }>>>;
}

/** Returns the probability (0..1) that a passage is an attack. */
export type Classify = (passage: string) => Promise<number>;

const RUNTIME = 'onnxruntime-node';
const MODEL_FILES = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx'];
const MAX_TOKENS = 512;
const HARMLESS =
  /benign|safe|legit|normal|negative|harmless|ham|clean|no[_ -]?(?:injection|attack|jailbreak)|^label_0$/i;

/** Reads `config.json`, `tokenizer.json`, `tokenizer_config.json` and the model; throws an error for the operator. */
export async function loadClassifier(dir: string): Promise<Classify> {
  const config = readJson(dir, 'config.json') as ModelConfig;
  const tokenizer = readTokenizer(dir);
  const harmless = harmlessLabels(config);
  const file = MODEL_FILES.map((name) => path.join(dir, name)).find((name) => existsSync(name));
  if (file === undefined) throw new Error(`there is no ${MODEL_FILES.join(', ')} in it`);
  const runtime = await findRuntime(dir);
  let session: Session;
  try {
    // One thread each: passages are classified in parallel rather than one on all cores.
    session = await runtime.InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  } catch (error) {
    throw new Error(`${path.basename(file)} cannot be loaded: ${firstLine(error)}`);
  }
  const longest = Math.min(MAX_TOKENS, config.max_position_embeddings ?? MAX_TOKENS);
  return async (passage) => {
    const ids = cut(tokenizer.encode(passage).ids, longest);
    const tensor = (inputOf: (id: number, index: number) => number) =>
      new runtime.Tensor(
        'int64',
        BigInt64Array.from(ids, (id, index) => BigInt(inputOf(id, index))),
        [1, ids.length],
      );
    const feeds: Record<string, unknown> = {};
    for (const name of session.inputNames) {
      const inputOf = INPUTS.get(name);
      if (inputOf === undefined) {
        throw new Error(`the model requires the input "${name}", which is not supported`);
      }
      feeds[name] = tensor(inputOf);
    }
    const output = await session.run(feeds);
    const logits = (output['logits'] ?? output[session.outputNames[0]!])?.data;
    if (logits === undefined || logits.length === 0) throw new Error('the model returns no logits');
    return attackShare([...logits], harmless);
  };
}

/** Inputs that a model may require, computed from a token's id and index. */
const INPUTS = new Map<string, (id: number, index: number) => number>([
  ['input_ids', (id) => id],
  ['attention_mask', () => 1],
  ['token_type_ids', () => 0],
  ['position_ids', (_id, index) => index],
]);

interface ModelConfig {
  readonly id2label?: Readonly<Record<string, string>>;
  readonly max_position_embeddings?: number;
}

/** Returns the indexes of the model's labels for harmless text. */
function harmlessLabels(config: ModelConfig): ReadonlySet<number> {
  const labels = Object.entries(config.id2label ?? { 0: 'LABEL_0', 1: 'LABEL_1' });
  const harmless = labels.filter(([, label]) => HARMLESS.test(label)).map(([id]) => Number(id));
  if (harmless.length === 0 || harmless.length === labels.length)
    throw new Error(
      `config.json names the labels ${labels.map(([, label]) => label).join(', ')}, but none of them means harmless`,
    );
  return new Set(harmless);
}

/** Returns the softmax probability of all labels that are not harmless. */
function attackShare(logits: readonly number[], harmless: ReadonlySet<number>): number {
  const top = Math.max(...logits);
  const parts = logits.map((logit) => Math.exp(logit - top));
  const total = parts.reduce((sum, part) => sum + part, 0);
  return parts.reduce((sum, part, label) => (harmless.has(label) ? sum : sum + part), 0) / total;
}

/** Truncates to the first tokens and the closing one. */
function cut(ids: readonly number[], longest: number): readonly number[] {
  return ids.length <= longest ? ids : [...ids.slice(0, longest - 1), ids[ids.length - 1]!];
}

function readTokenizer(dir: string): Tokenizer {
  const files = [readJson(dir, 'tokenizer.json'), readJson(dir, 'tokenizer_config.json')] as const;
  try {
    return new Tokenizer(files[0] as object, files[1] as object);
  } catch (error) {
    throw new Error(`tokenizer.json is of a kind that cannot be read: ${firstLine(error)}`);
  }
}

function readJson(dir: string, name: string): unknown {
  let text: string;
  try {
    text = readFileSync(path.join(dir, name), 'utf8');
  } catch (error) {
    throw new Error(`its ${name} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`its ${name} is not JSON`);
  }
}

/** Looks next to the model, then in the project. */
async function findRuntime(dir: string): Promise<Runtime> {
  for (const from of [path.join(path.resolve(dir), 'package.json'), import.meta.filename]) {
    try {
      return createRequire(from)(RUNTIME) as Runtime;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND')
        throw new Error(`${RUNTIME} cannot be loaded: ${firstLine(error)}`);
    }
  }
  throw new Error(`${RUNTIME} is not installed (npm install --prefix ${dir} ${RUNTIME})`);
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0]!.slice(0, 200);
}
