import { PROVIDERS } from '@csg/shared/providers';
import { address, type Setting, WEB_SCHEMES } from './setting.ts';

type Name = `provider:${string}`;

/** The `PROVIDER_…_URL` setting of every built-in provider. */
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
              WEB_SCHEMES,
              baseUrl ?? undefined,
            ),
          ],
        ],
  ),
);
