import { CodedError, type EnrollRequest, type EnrollResponse } from '@csg/shared/contract';
import type { Storage } from '../storage/storage.ts';
import type { Clock } from './clock.ts';

export interface EnrollDeps {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly clock: Clock;
  readonly makeKey: () => string;
  readonly signer: { readonly publicKey: string };
}

/** Consumes one use of an enrollment token and creates the device with its scan-only credential, all or nothing. */
export async function enrollDevice(deps: EnrollDeps, request: EnrollRequest): Promise<EnrollResponse> {
  return deps.storage.transaction(async (repositories) => {
    const enrollment = await repositories.enrollments.spend(
      request.token,
      request.platform,
      deps.clock.now(),
    );
    if (!enrollment) throw new CodedError('invalid_enrollment_token');
    const { organizationId, projectId } = enrollment;
    const organization = await repositories.organizations.get(organizationId);
    if (organization === null) throw new CodedError('invalid_enrollment_token');
    const project = projectId === null ? null : await repositories.projects.get(organizationId, projectId);
    const { mode } = await repositories.fleetSettings.get(organizationId);
    const endUserLabel = request.end_user_id ?? enrollment.label;
    const device = await repositories.devices.insert(organizationId, {
      projectId,
      enrollmentId: enrollment.id,
      name: request.device_name,
      platform: request.platform,
      coverage: request.coverage ?? 'proxy',
      userId: enrollment.isBulk ? null : enrollment.createdBy,
      endUserLabel,
    });
    const apiKey = deps.makeKey();
    await repositories.keys.insert({
      organizationId,
      projectId,
      userId: null,
      deviceId: device.id,
      name: request.device_name.slice(0, 50),
      permissions: ['scan'],
      expiresAtMs: null,
      key: apiKey,
    });
    await repositories.audit.append({
      organizationId,
      kind: 'device_enrolled',
      actor: enrollment.id,
      subject: device.id,
      data: { platform: request.platform, project_id: projectId },
    });
    return {
      api_key: apiKey,
      project_id: projectId,
      device_id: device.id,
      organization_id: organizationId,
      enforced: mode === 'enforce',
      mode,
      fail_closed: project?.failMode === 'closed',
      end_user_label: endUserLabel,
      account_name: organization.name,
      account_type: organization.kind,
      signing_key: deps.signer.publicKey,
    };
  });
}
