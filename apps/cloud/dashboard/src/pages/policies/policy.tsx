import type { PolicyDetail, PolicyWarning } from '@csg/shared/contract';
import { Alert, Button, Grid, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorAlert, Loaded } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { PolicyBasics } from './policy-basics.tsx';
import { PolicyConditions } from './policy-conditions.tsx';
import { PolicyFlows } from './policy-flows.tsx';
import { formValuesOf, policyOf, proposedValues } from './policy-form-values.ts';
import { PolicyPatterns } from './policy-patterns.tsx';
import { PolicyPreview } from './policy-preview.tsx';
import { PolicyVersions } from './policy-versions.tsx';

/** A new or existing policy with its impact preview. */
export function PolicyPage() {
  const { policyId = 'new' } = useParams();
  const isNew = policyId === 'new';
  const read = useApiQuery<{ policies: PolicyDetail[] }>('/policies');
  const known = read.data?.policies.find(({ id }) => id === policyId);
  return (
    <Page
      title={isNew ? 'New policy' : (known?.name ?? 'Policy')}
      about={
        isNew
          ? 'A policy takes effect when you save it. New policies start as a dry run.'
          : 'Changes take effect when you save them.'
      }
      actions={
        <Button
          component={Link}
          to="/policies"
          variant="default"
          size="xs"
          leftSection={<IconArrowLeft size={14} />}
        >
          All policies
        </Button>
      }
    >
      <Loaded read={read} height={480}>
        {({ policies }) => {
          const policy = policies.find(({ id }) => id === policyId);
          if (policy === undefined && !isNew) return <Empty title="No such policy" />;
          return <Editor key={`${policyId} ${policy?.version ?? 0}`} policy={policy} />;
        }}
      </Loaded>
    </Page>
  );
}

function Editor(props: { readonly policy: PolicyDetail | undefined }) {
  const { policy } = props;
  const navigate = useNavigate();
  const isReader = !isAtLeast(useSession(), 'admin') || policy?.from_preset === true;
  const [error, setError] = useState<ApiError | null>(null);
  const [proposal] = useSearchParams();
  const values = formValuesOf(policy, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const form = useForm({
    initialValues: policy === undefined ? proposedValues(values, proposal) : values,
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const save = useApiMutation(
    (body: object) =>
      policy === undefined
        ? callApi<{ id: string; warnings: PolicyWarning[] }>('POST', '/policies', { body })
        : callApi<{ id: string; warnings: PolicyWarning[] }>('PATCH', `/policies/${policy.id}`, { body }),
    {
      refresh: ['/policies'],
      quiet: true,
      successMessage: `${policy === undefined ? 'Policy created' : 'Saved'}. Changes take effect within a second.`,
    },
  );
  const remove = useApiMutation(() => callApi('DELETE', `/policies/${policy?.id}`), {
    refresh: ['/policies'],
    quiet: true,
    successMessage: 'Policy deleted.',
  });
  const submit = form.onSubmit((values) => {
    setError(null);
    const body =
      policy === undefined
        ? { ...policyOf(values), ...(values.project_id === '' ? {} : { project_id: values.project_id }) }
        : { ...policyOf(values), version: policy.version };
    save.mutate(body, {
      onSuccess: ({ id }) => {
        if (policy === undefined) navigate(`/policies/${id}`, { replace: true });
      },
      onError: (error) => {
        form.setErrors({ ...error.fields });
        setError(error);
      },
    });
  });
  return (
    <form onSubmit={submit} noValidate>
      <fieldset disabled={isReader} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
        <Grid>
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Stack>
              {policy?.from_preset && (
                <Alert color="blue">
                  This policy comes from a preset and is read-only. Change the preset of the project instead.
                </Alert>
              )}
              <PolicyBasics form={form} isNew={policy === undefined} />
              <PolicyConditions form={form} />
              <PolicyPatterns form={form} />
              <PolicyFlows form={form} texts={policy?.flow_texts ?? []} />
              {error && <ErrorAlert error={error} />}
              {save.data?.warnings.map(({ code, message }) => (
                <Alert key={code} color="yellow">
                  {message}
                </Alert>
              ))}
              {!isReader && (
                <Group justify="space-between">
                  {policy === undefined ? (
                    <span />
                  ) : (
                    <ConfirmButton
                      size="sm"
                      label="Delete policy"
                      title={`Delete "${policy.name}"`}
                      effect="Lower-priority policies and the presets then apply instead, from the next request on."
                      confirm="Delete policy"
                      pending={remove.isPending}
                      error={remove.error}
                      action={() => remove.mutateAsync(undefined).then(() => navigate('/policies'))}
                    />
                  )}
                  <Button type="submit" loading={save.isPending}>
                    {policy === undefined ? 'Create policy' : 'Save'}
                  </Button>
                </Group>
              )}
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Stack pos="sticky" top={24}>
              <PolicyPreview policyId={policy?.id} values={form.values} />
              {policy !== undefined && !policy.from_preset && (
                <PolicyVersions policyId={policy.id} isReader={isReader} />
              )}
            </Stack>
          </Grid.Col>
        </Grid>
      </fieldset>
    </form>
  );
}
