import type { ChangeFleetSettings, FleetSettingsRecord } from '@csg/shared/contract';
import { Alert, Button, Card, Grid, Group, Radio, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

/** Settings of all devices of the organization. */
export function FleetSettings(props: { readonly isReader: boolean }) {
  const read = useApiQuery<FleetSettingsRecord>('/fleet-settings');
  return (
    <Loaded read={read} height={420}>
      {(settings) => <Form settings={settings} isReader={props.isReader} />}
    </Loaded>
  );
}

function Form(props: { readonly settings: FleetSettingsRecord; readonly isReader: boolean }) {
  const { settings, isReader } = props;
  const form = useForm({
    initialValues: {
      ...settings,
      fleet: settings.fleet ?? '',
      pinned_channel: settings.pinned_channel ?? '',
      min_version_override: settings.min_version_override ?? '',
    },
  });
  const save = useApiMutation(
    (body: ChangeFleetSettings) => callApi<FleetSettingsRecord>('PATCH', '/fleet-settings', { body }),
    { refresh: ['/fleet-settings'], successMessage: 'Saved. Connected devices are updated within a second.' },
  );
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values, { onSuccess: () => form.resetDirty() }))}>
      <fieldset disabled={isReader} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
        <Grid>
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Card>
              <Stack>
                <Radio.Group label="Enforcement" {...form.getInputProps('mode')}>
                  <Stack gap="xs" mt="xs">
                    <Radio value="enforce" label="Enforce" description="Violations are blocked." />
                    <Radio
                      value="monitor"
                      label="Monitor"
                      description="Nothing is blocked. Events record what would have been blocked."
                    />
                  </Stack>
                </Radio.Group>
                {form.values.mode === 'monitor' && settings.mode === 'enforce' && (
                  <Alert color="yellow">
                    After saving, devices block nothing until you change this back.
                  </Alert>
                )}
                <TagsInput
                  label="Disallowed AI tools"
                  description="Hosts or names, such as grok.com. People can request a tool."
                  placeholder="Type a host and press Enter"
                  {...form.getInputProps('blocked_tools')}
                />
                <TagsInput
                  label="Additional inspected hosts"
                  description="In addition to the known AI providers. *. stands for all subdomains."
                  placeholder="chat.example.com"
                  {...form.getInputProps('extra_hosts')}
                />
                <TagsInput
                  label="Bypassed hosts"
                  description="Traffic to these hosts is never inspected."
                  placeholder="*.bank.example"
                  {...form.getInputProps('bypass_hosts')}
                />
              </Stack>
            </Card>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Card>
              <Section title="Agent updates">
                <Stack>
                  <Select
                    label="New versions"
                    allowDeselect={false}
                    data={[
                      { value: 'off', label: 'Managed on each device' },
                      { value: 'notify', label: 'Offered to the user' },
                      { value: 'force', label: 'Installed automatically' },
                    ]}
                    {...form.getInputProps('force_update_mode')}
                  />
                  <TextInput
                    label="Minimum version"
                    placeholder="1.4.0"
                    maxLength={64}
                    {...form.getInputProps('min_version_override')}
                  />
                  <TextInput
                    label="Update channel"
                    placeholder="stable"
                    maxLength={64}
                    {...form.getInputProps('pinned_channel')}
                  />
                  <TextInput label="Fleet name" maxLength={64} {...form.getInputProps('fleet')} />
                </Stack>
              </Section>
            </Card>
            {!isReader && (
              <Group justify="flex-end" mt="md">
                <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                  Save fleet settings
                </Button>
              </Group>
            )}
          </Grid.Col>
        </Grid>
      </fieldset>
    </form>
  );
}
