import { unenrollReplySchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import { type UnenrollDeps, unenrollDevice } from '../flows/devices/unenroll-device.ts';
import { needsDevice } from '../plugins/route-access.ts';
import { deviceOf } from './devices.ts';
import { documented } from './documented.ts';

export function registerDeviceUnenroll(app: FastifyInstance, deps: UnenrollDeps): void {
  app.post(
    '/devices/unenroll',
    {
      config: needsDevice(),
      schema: documented({
        tag: 'Devices',
        summary: 'Leave for good',
        description:
          'Revokes the device that calls and its credential. Sent again it is a 401, because the credential is gone.',
        answer: unenrollReplySchema,
        codes: ['missing_api_key', 'invalid_api_key'],
      }),
    },
    (request) => unenrollDevice(deps, deviceOf(request)),
  );
}
