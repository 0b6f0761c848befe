import {
  fleetSettingChangesSchema,
  notificationRulesSchema,
  participantsSchema,
  policyFieldsSchema,
  policyRulesSchema,
  policyTextRulesSchema,
  projectFieldsSchema,
  reconciliationFiguresSchema,
  requestContextSchema,
  requestDecisionSchema,
  securityTestFiguresSchema,
  settingChangesSchema,
  webhookEventSchema,
} from '@csg/shared/contract';
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { describeCommonErrors } from '../routes/common-errors.ts';
import { openApiHead } from './head.ts';
import { type Components, nameRoute, referenceNamed } from './named-schemas.ts';
import { type Document, shareParts } from './shared-parts.ts';
import { describeWebhooks } from './webhooks.ts';

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>;

/** Building blocks of several schemas in the contract; no route uses them on their own. */
const PARTS = [
  fleetSettingChangesSchema,
  notificationRulesSchema,
  participantsSchema,
  policyFieldsSchema,
  policyRulesSchema,
  policyTextRulesSchema,
  projectFieldsSchema,
  reconciliationFiguresSchema,
  requestContextSchema,
  requestDecisionSchema,
  securityTestFiguresSchema,
  settingChangesSchema,
];

/** Next to a long name, a description would have one word per line. */
const NARROW_SCREENS = `@media (max-width: 800px) {
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag > a { flex: 1; }
  .swagger-ui .opblock-tag small { flex-basis: 100%; order: 3; padding: 4px 0 0; }
}`;

/** Collects the schemas of routes registered after this call, and serves their documentation at `/docs`. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: openApiHead,
    transform: ((route: Parameters<Transform>[0] & { openapiObject?: { components: Components } }) => ({
      url: route.url,
      schema:
        route.schema === undefined || route.openapiObject === undefined
          ? route.schema
          : nameRoute(describeCommonErrors({ ...route.schema }), route.openapiObject.components),
    })) as Transform,
    transformObject: (made) => {
      const document = (made as { openapiObject: Document & { components: Components } }).openapiObject;
      const webhooks = referenceNamed(describeWebhooks(), document.components) as Document['webhooks'];
      referenceNamed([webhookEventSchema, ...PARTS], document.components);
      return shareParts({ ...document, webhooks });
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // Swagger UI sets styles from its script; everything else comes from this origin.
    staticCSP:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    theme: {
      title: 'Content Security Gateway',
      css: [{ filename: 'theme.css', content: NARROW_SCREENS }],
    },
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'none',
      deepLinking: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
    },
  });
}
