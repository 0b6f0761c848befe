import type { ChangeFleetSettings, FleetSettingsRecord } from '@csg/shared/contract';
import { Alert, Button, Card, Grid, Group, Radio, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

/** What every device of the organization is told. */
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
    { refresh: ['/fleet-settings'], successMessage: 'Saved. Connected devices are told within a second.' },
  );
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values, { onSuccess: () => form.resetDirty() }))}>
      <fieldset disabled={isReader} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
        <Grid>
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Card>
              <Stack>
                <Radio.Group label="What devices do with a refusal" {...form.getInputProps('mode')}>
                  <Stack gap="xs" mt="xs">
                    <Radio value="enforce" label="Enforce" description="What is refused is stopped." />
                    <Radio
                      value="monitor"
                      label="Monitor"
                      description="Nothing is stopped; events say what would have been."
                    />
                  </Stack>
                </Radio.Group>
                {form.values.mode === 'monitor' && settings.mode === 'enforce' && (
                  <Alert color="yellow">
                    Saving stops nothing on any device any more until it is changed back.
                  </Alert>
                )}
                <TagsInput
                  label="AI tools that are not allowed"
                  description="Hosts or names, such as grok.com. People can ask for one."
                  placeholder="Add one, then Enter"
                  {...form.getInputProps('blocked_tools')}
                />
                <TagsInput
                  label="Further hosts to open"
                  description="Beside the AI vendors that are known. *. stands for any name below."
                  placeholder="chat.example.com"
                  {...form.getInputProps('extra_hosts')}
                />
                <TagsInput
                  label="Hosts that are never opened"
                  description="Their traffic passes unread, whatever else is said."
                  placeholder="*.bank.example"
                  {...form.getInputProps('bypass_hosts')}
                />
              </Stack>
            </Card>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Card>
              <Section title="Updates of the agent">
                <Stack>
                  <Select
                    label="New versions"
                    allowDeselect={false}
                    data={[
                      { value: 'off', label: 'Left to each machine' },
                      { value: 'notify', label: 'Offered to the person' },
                      { value: 'force', label: 'Installed' },
                    ]}
                    {...form.getInputProps('force_update_mode')}
                  />
                  <TextInput
                    label="Oldest version allowed"
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
                  Save for all devices
                </Button>
              </Group>
            )}
          </Grid.Col>
        </Grid>
      </fieldset>
    </form>
  );
}
