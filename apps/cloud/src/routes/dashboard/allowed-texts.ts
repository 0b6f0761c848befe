import { type AllowedTextRecord, allowedTextSchema, idSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { removeAllowedText } from '../../flows/approvals/remove-allowed-text.ts';
import { type NameDeps, readNames } from '../../flows/insight/read-names.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

const shownText = wireOf(allowedTextSchema, 'role', 'project_name', 'approved_by_name');

export interface AllowedTextDependencies extends NameDeps {
  readonly storage: NameDeps['storage'] & Pick<Storage, 'allowedTexts' | 'transaction'>;
}

/** Registers texts that are allowed despite findings. */
export function registerAllowedTexts(app: FastifyInstance, deps: AllowedTextDependencies): void {
  app.get<{ Querystring: { project_id?: string } }>(
    '/allowed-texts',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listAllowedTexts',
        area: 'Requests',
        summary: 'List allowed texts',
        description: 'The newest 500, newest first. The texts themselves are not stored.',
        query: Type.Object({ project_id: Type.Optional(idSchema) }),
        response: Type.Array(allowedTextSchema),
      }),
    },
    async (request) => {
      const { organizationId } = memberOf(request);
      const { project_id } = request.query;
      const texts = await deps.storage.allowedTexts.list(
        organizationId,
        project_id === undefined ? {} : { projectId: project_id },
      );
      const names = await readNames(deps, organizationId);
      return texts.map((text) => ({
        ...shownText(text),
        role: text.textKey.slice(0, text.textKey.indexOf(':')) as AllowedTextRecord['role'],
        project_name: names.find(text.projectId),
        approved_by_name: names.find(text.approvedBy),
      }));
    },
  );

  app.delete<{ Params: { text_id: string } }>(
    '/allowed-texts/:text_id',
    {
      config: needsRole('admin', { isByProject: true }),
      schema: dashboardRoute({
        id: 'deleteAllowedText',
        area: 'Requests',
        summary: 'Delete an allowed text',
        description: 'From the next request on, the text is evaluated like any other.',
        params: Type.Object({ text_id: idSchema }),
        response: null,
        status: 204,
        codes: ['not_found'],
      }),
    },
    async (request, reply) => {
      await removeAllowedText(deps, memberOf(request), request.params.text_id);
      return reply.code(204).send();
    },
  );
}
