import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}
export interface DocumentedPaths {
  readonly [path: string]: Readonly<
    Record<string, { readonly responses: Readonly<Record<string, Content>> }>
  >;
}

export interface DocumentedResponses {
  validatorOf(schema: object): ValidateFunction;
  /** Asserts that the response is documented in status, code, type and every field. Returns it as text. */
  hold(method: string, path: string, answer: { status: number; headers: Headers; text: string }): string;
}

/** Codes within a sentence of the description. */
const SENTENCE_OF: Readonly<Record<string, RegExp>> = {
  idempotency_key_reused: /^- 422: .*`idempotency_key_reused`/m,
};

/** Compares responses with an OpenAPI document. */
export function createDocumentedResponses(paths: DocumentedPaths): DocumentedResponses {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const compiled = new Map<object, ValidateFunction>();

  function validatorOf(schema: object): ValidateFunction {
    let validate = compiled.get(schema);
    if (validate === undefined) {
      validate = ajv.compile(schema);
      compiled.set(schema, validate);
    }
    return validate;
  }

  return {
    validatorOf,
    hold(method, path, { status, headers, text }) {
      const shown = `${method} ${path} → ${status} ${text.slice(0, 300)}`;
      const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {};
      const common = responses['default']?.description ?? '';
      const isCommon = new RegExp(`^- ${status}\\b`, 'm').test(common);
      const documented = responses[String(status)] ?? (isCommon ? responses['default'] : undefined);
      assert.ok(documented !== undefined, `${shown}: an undocumented status`);
      if (documented.content === undefined) {
        assert.equal(text, '', `${shown}: a body where none is documented`);
        return shown;
      }
      const type = (headers.get('content-type') ?? '').split(';')[0]!;
      const content = documented.content[type];
      assert.ok(content !== undefined, `${shown}: the type ${type} is undocumented`);
      const validate = validatorOf(content.schema);
      const body: { readonly error?: { readonly code?: string } } | null = JSON.parse(text);
      assert.ok(validate(body), `${shown}: ${ajv.errorsText(validate.errors)}`);
      const code = body?.error?.code;
      if (status >= 400 && code !== undefined) {
        const own = responses[String(status)]?.description ?? '';
        const isNamed = own.includes(`\`${code}\``) || common.includes(`- ${status} \`${code}\``);
        assert.ok(isNamed || SENTENCE_OF[code]?.test(own + common), `${shown}: an undocumented code`);
      }
      return shown;
    },
  };
}
