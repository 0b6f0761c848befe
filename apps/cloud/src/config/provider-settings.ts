import { PROVIDERS } from '@csg/shared/providers';
import { address, type Setting, WEB } from './setting.ts';

type Name = `provider:${string}`;

/** `PROVIDER_…_URL` of every provider that is built in. */
export const PROVIDER_SETTINGS: Readonly<Record<Name, Setting<string | undefined>>> = Object.fromEntries(
  PROVIDERS.flatMap(({ name, label, baseUrl }) =>
    baseUrl === undefined
      ? []
      : [
          [
            `provider:${name}`,
            address(
              `PROVIDER_${name.toUpperCase().replaceAll('-', '_')}_URL`,
              `${label} base address without /v1.`,
              WEB,
              baseUrl ?? undefined,
            ),
          ],
        ],
  ),
);
