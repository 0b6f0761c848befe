import { createExceptionSchema, createToolRequestSchema } from '@csg/shared/contract';
import type { Static, TSchema } from 'typebox';
import { Errors } from 'typebox/schema';
import type { ServiceClient, ServiceOutcome } from '../../cloud-client/service-client.ts';
import type { ControlHandlers } from '../control/control-server.ts';

/**
 * Handles requests of the user to the service, for the window and the command line: exceptions and tools. `client`
 * returns null until the agent is ready. If the service rejects a request, its own sentence is thrown.
 */
export function serviceRequests(
  client: () => ServiceClient | null,
): Pick<ControlHandlers, 'requests' | 'request-exception' | 'request-tool' | 'cancel-request'> {
  const service = (): ServiceClient => {
    const now = client();
    if (now === null) throw new Error('The agent is starting. Try again in a moment.');
    return now;
  };
  return {
    async requests() {
      const [exceptions, tools] = await Promise.all([service().exceptions(), service().toolRequests()]);
      return { exceptions: requireValue(exceptions), tool_requests: requireValue(tools) };
    },
    'request-exception': async (params) =>
      requireValue(await service().requestException(read(createExceptionSchema, params))),
    'request-tool': async (params) =>
      requireValue(await service().requestTool(read(createToolRequestSchema, params))),
    async 'cancel-request'(params) {
      const id = String((params as { id?: unknown } | null)?.id ?? '');
      if (id.startsWith('exc_')) return requireValue(await service().cancelException(id));
      return requireValue(await service().cancelToolRequest(id));
    },
  };
}

function requireValue<T>(outcome: ServiceOutcome<T>): T {
  if (outcome.kind === 'ok') return outcome.value;
  throw new Error(outcome.kind === 'refused' ? outcome.message : outcome.reason);
}

/** Names the invalid member: the service's own check would only report a list of them. */
function read<T extends TSchema>(schema: T, params: unknown): Static<T> {
  const [, [error]] = Errors(schema, params);
  if (error === undefined) return params as Static<T>;
  throw new Error(`${error.instancePath.slice(1) || 'The request'} ${error.message}.`);
}
