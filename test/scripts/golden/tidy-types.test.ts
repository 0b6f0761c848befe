import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tidyTypes } from '../../../scripts/golden/tidy-types.ts';

test('removes absent methods, parameter names and line breaks of short objects; everything else stays', () => {
  const tidied = tidyTypes(`export interface paths {
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
        };
        /** List API keys */
        get: operations["listApiKeys"];
        put?: never;
    };
}
export type webhooks = Record<string, never>;
export type ApiKey = components['schemas']['ApiKey'];
export type ResponseNotFound = components['responses']['not_found'];
export interface operations {
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
                /** @enum {string} */
                state: "on" | "off";
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
`);
  assert.equal(
    tidied,
    `export interface paths {
    "/keys": {
        /** List API keys */
        get: operations["listApiKeys"];
    };
}
export type webhooks = Record<string, never>;
export type ApiKey = components['schemas']['ApiKey'];
export interface operations {
    listApiKeys: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            200: {
                headers: { [name: string]: unknown };
                content: { "application/json": components["schemas"]["ApiKey"] };
                state: "on" | "off";
            };
            204: { headers: { [name: string]: unknown }; content?: never };
        };
    };
}
`,
  );
});
