/** Objects that pages show: one of ours for every kind of id. */

import assert from 'node:assert/strict';
import { ownEndpointId } from '@csg/shared/contract';
import { newEventId } from '../../apps/cloud/src/storage/ids.ts';
import { addDeviceOf, type TestAccount } from '../support/accounts.ts';
import type { Person, TestBrowser } from '../support/browser.ts';
import type { TestGateway } from '../support/gateway.ts';

/** Sends a request that is blocked; returns the id of its event. */
export async function recordBlock(
  gateway: TestGateway,
  { organizationId, projectId }: Pick<TestAccount, 'organizationId' | 'projectId'>,
): Promise<string> {
  const eventId = newEventId(Date.now());
  await gateway.storage.decisions.record({
    event: {
      id: eventId,
      organizationId,
      projectId,
      keyId: null,
      deviceId: null,
      requestId: null,
      direction: 'input',
      route: 'guard',
      session: `of-${organizationId}`,
      model: null,
      decision: 'block',
      threatType: 'prompt_injection',
      confidence: 0.9,
      findings: [],
      unscanned: [],
      failed: null,
      latencyUs: 100,
      atMs: Date.now(),
    },
    audit: { kind: 'policy_block', actor: 'key_x', subject: eventId, data: {} },
  });
  return eventId;
}

/** Creates one object of ours for every kind of id. */
export async function makeObjects(
  gateway: TestGateway,
  { admin, viewer, owner }: Readonly<Record<'admin' | 'viewer' | 'owner', TestBrowser & Person>>,
): Promise<Record<string, string>> {
  const { storage, account } = gateway;
  const { organizationId, projectId } = account;
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await admin.call<{ id: string }>('POST', path, body);
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  await storage.mcpServers.put(projectId, { name: 'crm', url: 'https://mcp.example.com/', headers: {} });
  await storage.mcpTools.propose(projectId, 'crm', 'find', '{"name":"find"}');
  await addDeviceOf(gateway, account);
  const [device] = await storage.devices.list(organizationId);
  const requester = {
    projectId,
    requestedBy: 'key_x',
    requesterUserId: null,
    deviceId: null,
    justification: null,
  };
  const exception = await storage.requests.insert(organizationId, 'exception', {
    ...requester,
    destinationHost: 'a.example.com',
    subject: 'a.example.com',
    policyId: null,
    threat: null,
    reasonCategory: null,
    requestedMinutes: 60,
  });
  const request = await storage.requests.insert(organizationId, 'tool_request', {
    ...requester,
    requestedHost: 'b.example.com',
    requestedName: null,
  });
  const review = await storage.requests.insert(organizationId, 'tool_review', {
    ...requester,
    agentId: 'agent',
    sessionId: null,
    toolName: 'refund',
    reason: 'It waits.',
    endsInMs: 3_600_000,
    subject: 'refund',
    arguments: null,
  });
  const event = (await storage.events.get(organizationId, await recordBlock(gateway, account)))!;
  const feedback = await storage.requests.report(organizationId, {
    ...{ ...requester, eventId: event.id, event },
    ...{ allowText: true, status: 'pending' },
  });
  const allowedText = await storage.allowedTexts.insert(account, {
    textKey: 'user:digest',
    threatTypes: ['jailbreak'],
    eventId: event.id,
    approvedBy: admin.userId,
  });
  const [delivery] = await storage.deliveries.enqueue(organizationId, [
    {
      ...{ endpointId: ownEndpointId('webhook', projectId), projectId },
      ...{ event: 'threat.blocked', eventId: null, payload: '{}' },
    },
  ]);
  const invitation = await make('/invitations', { email: 'invited@example.com', role: 'viewer' });
  const [mail] = await storage.emails.list({ organizationId, withAccounts: false }, { limit: 1 });
  const [session] = await storage.sessions.list(owner.userId);
  const enrollment = await storage.enrollments.create(organizationId, { projectId });
  const target = await make('/notification-targets', { kind: 'mail', address: 'ours@example.com' });
  const hook = { webhook_url: 'https://ours.example.com/' };
  return {
    session_id: session!.id,
    user_id: viewer.userId,
    invitation_id: invitation,
    mail_id: mail!.id,
    token_id: await make('/directory-tokens', { name: 'Directory' }),
    event_id: await recordBlock(gateway, account),
    session: `of-${organizationId}`,
    key_id: await make('/keys', { name: 'Ours' }),
    organization_id: gateway.account.organizationId,
    project_id: projectId,
    device_id: device!.id,
    enrollment_id: enrollment.enrollment.id,
    exception_id: exception.id,
    request_id: request.id,
    review_id: review.id,
    feedback_id: feedback.id,
    text_id: allowedText.id,
    run_id: await make('/security-testing/runs', { target_preset: 'default' }),
    policy_id: await make('/policies', { name: 'Ours', action: 'monitor', threat_types: ['jailbreak'] }),
    delivery_id: delivery!.id,
    webhook_id: await make(`/projects/${projectId}/webhooks`, hook),
    endpoint_id: await make(`/projects/${projectId}/webhooks`, hook),
    target_id: target,
    alert_id: await make('/alerts', {
      ...{
        name: 'Ours',
        filter: { decision: 'block' },
        threshold: 1,
        window_minutes: 5,
        endpoint_id: target,
      },
    }),
    filter_id: await make('/saved-filters', { name: 'Ours', query: 'decision=block' }),
  };
}
