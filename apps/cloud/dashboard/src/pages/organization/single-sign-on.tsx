import type { ChangeSsoRequest, OrganizationResponse, SsoResponse } from '@csg/shared/contract';
import {
  Alert,
  Button,
  Card,
  Group,
  NativeSelect,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { toFields } from '../../components/form-errors.ts';
import { Section } from '../../components/page.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

const PATH = '/organization/sso';

/** Sign-in through the organization's own OpenID Connect provider. */
export function SingleSignOn(props: { readonly organization: OrganizationResponse }) {
  const read = useApiQuery<SsoResponse>(PATH);
  return (
    <Card>
      <Section
        title="Single sign-on"
        about="Members sign in through your OpenID Connect provider. A DNS record proves each domain."
      >
        <Loaded read={read} height={120}>
          {(sso) => (
            <Stack>
              {sso.source === 'environment' ? <FromEnvironment sso={sso} /> : <Provider sso={sso} />}
              {sso.source !== 'none' && (
                <>
                  <div>
                    <Text size="sm">Members sign in here:</Text>
                    <CopyText value={sso.sign_in_url} label="sign-in address" />
                  </div>
                  <SsoOnly organization={props.organization} />
                </>
              )}
            </Stack>
          )}
        </Loaded>
      </Section>
    </Card>
  );
}

function FromEnvironment(props: { readonly sso: SsoResponse }) {
  const { issuer, domains } = props.sso;
  return (
    <Alert color="blue" title={`Provider: ${issuer}`}>
      <Text size="sm">
        Set by the operator of this service, for {domains.join(', ')}. It is changed in the service's
        environment.
      </Text>
    </Alert>
  );
}

function Provider(props: { readonly sso: SsoResponse }) {
  const { sso } = props;
  const [error, setError] = useState<ApiError | null>(null);
  const refresh = [PATH, '/organization'];
  const form = useForm({
    initialValues: {
      issuer: sso.issuer ?? '',
      client_id: sso.client_id ?? '',
      client_secret: '',
      domains: sso.domains,
      role_claim: sso.role_claim ?? '',
      email_trust: sso.email_trust,
    },
    validate: {
      issuer: (issuer) => (issuer.trim() === '' ? "Enter your provider's issuer." : null),
      client_id: (id) => (id.trim() === '' ? 'Enter the client ID.' : null),
      domains: (domains) => (domains.length === 0 ? 'Enter at least one domain.' : null),
    },
  });
  const change = useApiMutation((body: ChangeSsoRequest) => callApi('PUT', PATH, { body }), {
    refresh,
    quiet: true,
    successMessage: 'Saved.',
  });
  const remove = useApiMutation(() => callApi('DELETE', PATH), {
    refresh,
    quiet: true,
    successMessage: 'Single sign-on removed.',
  });
  return (
    <form
      onSubmit={form.onSubmit(({ issuer, client_id, client_secret, domains, role_claim, email_trust }) => {
        setError(null);
        change.mutate(
          {
            issuer: issuer.trim(),
            client_id: client_id.trim(),
            ...(client_secret === '' ? {} : { client_secret }),
            domains: [...domains],
            email_trust,
            ...(role_claim.trim() === '' ? {} : { role_claim: role_claim.trim() }),
          },
          {
            onSuccess: () => form.resetDirty(),
            onError: (refusal) => setError(toFields(refusal, form)),
          },
        );
      })}
    >
      <Stack gap="sm">
        <div>
          <Text size="sm">Allow this redirect address at your provider:</Text>
          <CopyText value={sso.redirect_url} label="redirect address" />
        </div>
        <TextInput
          label="Issuer"
          placeholder="https://login.example.com"
          maxLength={500}
          {...form.getInputProps('issuer')}
        />
        <TextInput label="Client ID" maxLength={255} {...form.getInputProps('client_id')} />
        <TextInput
          label="Client secret"
          description={sso.has_client_secret ? 'Stored. Leave empty to keep it.' : undefined}
          type="password"
          autoComplete="off"
          maxLength={1024}
          {...form.getInputProps('client_secret')}
        />
        <TagsInput
          label="Domains"
          description="Domains of the email addresses that may sign in, compared exactly."
          placeholder="Type a domain and press Enter"
          {...form.getInputProps('domains')}
        />
        <NativeSelect
          label="Trust in email addresses"
          description="Entra ID: tenant. Okta, Google, Keycloak: verified. Ping: verified if it sends email_verified, else tenant."
          data={[
            { value: 'verified', label: 'Verified: the provider says email_verified' },
            { value: 'tenant', label: 'Tenant: the issuer is of your company alone' },
          ]}
          {...form.getInputProps('email_trust')}
        />
        <TextInput
          label="Role claim"
          description="Optional: the claim with groups of the role map, or, without a map, with admin, member, auditor or viewer. Without a claim, roles are assigned on the members page."
          placeholder="gateway_role"
          maxLength={100}
          {...form.getInputProps('role_claim')}
        />
        {error && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          {sso.source === 'organization' && (
            <ConfirmButton
              label="Remove"
              title="Remove single sign-on"
              effect="Sessions from the provider end, and members sign in with their passwords. Members without one reset it by email."
              confirm="Remove single sign-on"
              pending={remove.isPending}
              error={remove.error}
              action={() => remove.mutateAsync(undefined)}
            />
          )}
          <Button type="submit" disabled={!form.isDirty()} loading={change.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function SsoOnly(props: { readonly organization: OrganizationResponse }) {
  const change = useApiMutation(
    (ssoOnly: boolean) => callApi('PATCH', '/organization', { body: { sso_only: ssoOnly } }),
    { refresh: ['/organization', '/session'], quiet: true, successMessage: 'Saved.' },
  );
  return (
    <>
      <Switch
        label="Require single sign-on"
        description="Members use this organization only after signing in through the provider. Owners keep their password."
        checked={props.organization.sso_only}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      {change.error && <ErrorAlert error={change.error} />}
    </>
  );
}
