import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installPackages } from '../../scripts/install-packages.ts';
import { tinyClassifier } from './onnx-model.ts';

const CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache/classifier');
const RUNTIME_VERSION = '1.30.0';

/** Installs onnxruntime-node once, into a folder of its own: it is too large to be a dependency of the project. */
export function installRuntime(): Promise<void> {
  return installPackages(CACHE, { ['onnxruntime-node']: RUNTIME_VERSION });
}

/** The model's words, with their weights for harmless and for attack. */
const VOCABULARY: Readonly<Record<string, readonly [number, number]>> = {
  '[PAD]': [0, 0],
  '[UNK]': [0.1, 0],
  '[CLS]': [0, 0],
  '[SEP]': [0, 0],
  harmless: [4, 0],
  wicked: [0, 4],
  '##s': [0, 0],
};

export interface ClassifierFolder {
  readonly dir: string;
  remove(): void;
}

/** Creates a folder in the layout of model hubs: a WordPiece tokenizer, a configuration and a real, tiny ONNX model. */
export function createClassifierFolder(
  change: {
    readonly labels?: Readonly<Record<string, string>>;
    /** Takes a second or two; `a little`: some milliseconds. */
    readonly slow?: boolean | 'a little';
    readonly without?: string;
    readonly model?: Uint8Array;
  } = {},
): ClassifierFolder {
  mkdirSync(CACHE, { recursive: true });
  // next to the runtime, so that the runtime is found as next to an operator's model
  const dir = mkdtempSync(path.join(CACHE, 'model-'));
  const words = Object.keys(VOCABULARY);
  const special = words.slice(0, 4).map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  const files: Readonly<Record<string, unknown>> = {
    'config.json': {
      model_type: 'bert',
      id2label: change.labels ?? { 0: 'BENIGN', 1: 'INJECTION' },
      max_position_embeddings: 64,
    },
    'tokenizer_config.json': {
      tokenizer_class: 'BertTokenizer',
      unk_token: '[UNK]',
      pad_token: '[PAD]',
      cls_token: '[CLS]',
      sep_token: '[SEP]',
    },
    'tokenizer.json': {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: special,
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: true,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: {
        type: 'TemplateProcessing',
        single: [
          { SpecialToken: { id: '[CLS]', type_id: 0 } },
          { Sequence: { id: 'A', type_id: 0 } },
          { SpecialToken: { id: '[SEP]', type_id: 0 } },
        ],
        pair: [],
        special_tokens: {
          '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
          '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
        },
      },
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      },
    },
  };
  for (const [name, content] of Object.entries(files))
    if (name !== change.without) writeFileSync(path.join(dir, name), JSON.stringify(content));
  if (change.without !== 'model.onnx')
    writeFileSync(
      path.join(dir, 'model.onnx'),
      change.model ?? tinyClassifier(Object.values(VOCABULARY), slowRows(change.slow)),
    );
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

function slowRows(slow: boolean | 'a little' = false): number {
  if (slow === 'a little') return 300;
  return slow ? 1_200 : 0;
}
