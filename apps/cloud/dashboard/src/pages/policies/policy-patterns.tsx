import type { TryPolicy } from '@csg/shared/contract';
import {
  ActionIcon,
  Alert,
  Button,
  Card,
  Group,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Section } from '../../components/page.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import type { PolicyFormValues } from './policy-form-values.ts';

interface TryResult {
  readonly results: {
    readonly sample: number;
    readonly hits: { readonly start: number; readonly end: number; readonly reason: string }[];
  }[];
}

/** Custom patterns and domains, which can be tested before they are saved. */
export function PolicyPatterns(props: { readonly form: UseFormReturnType<PolicyFormValues> }) {
  const { form } = props;
  const { patterns } = form.values;
  return (
    <Card>
      <Section
        title="Custom patterns and domains"
        about="Matches are reported as a custom policy threat. RE2 syntax; start with (?i) to ignore case."
      >
        <Stack gap="sm">
          {patterns.map((_pattern, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: edited in place
            <Group key={index} align="flex-start" wrap="nowrap" gap="sm">
              <TextInput
                aria-label="Pattern name"
                placeholder="Claim number"
                w={170}
                maxLength={64}
                {...form.getInputProps(`patterns.${index}.name`)}
              />
              <TextInput
                aria-label="Pattern"
                placeholder="\bHC-\d{8}\b"
                maxLength={500}
                style={{ flex: 1 }}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                {...form.getInputProps(`patterns.${index}.pattern`)}
              />
              <ActionIcon
                mt={6}
                variant="subtle"
                color="gray"
                aria-label="Remove pattern"
                onClick={() => form.removeListItem('patterns', index)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
          <Button
            size="xs"
            variant="default"
            w="fit-content"
            leftSection={<IconPlus size={14} />}
            onClick={() => form.insertListItem('patterns', { name: '', pattern: '' })}
          >
            Add pattern
          </Button>
          <TagsInput
            label="Blocked domains"
            description="Texts that contain one of these domains match."
            placeholder="Type a domain and press Enter"
            acceptValueOnBlur
            {...form.getInputProps('blocked_domains')}
          />
          <TagsInput
            label="Allowed link domains"
            description="If set, links to all other domains match."
            placeholder="Any"
            acceptValueOnBlur
            {...form.getInputProps('allowed_domains')}
          />
          <TryPatterns values={form.values} />
        </Stack>
      </Section>
    </Card>
  );
}

function TryPatterns(props: { readonly values: PolicyFormValues }) {
  const { patterns, blocked_domains, allowed_domains, allowed_values } = props.values;
  const [sample, setSample] = useState('');
  const attempt = useApiMutation((body: TryPolicy) => callApi<TryResult>('POST', '/policies/try', { body }), {
    quiet: true,
  });
  const hasRules =
    patterns.length + blocked_domains.length + allowed_domains.length + allowed_values.length > 0;
  if (!hasRules) return null;
  const matches = attempt.data?.results[0]?.hits;
  return (
    <Stack gap="xs">
      <Textarea
        label="Test text"
        autosize
        minRows={2}
        maxLength={10_000}
        value={sample}
        onChange={(change) => setSample(change.currentTarget.value)}
      />
      <Button
        size="xs"
        variant="light"
        w="fit-content"
        disabled={sample === ''}
        loading={attempt.isPending}
        onClick={() =>
          attempt.mutate({ patterns, blocked_domains, allowed_domains, allowed_values, samples: [sample] })
        }
      >
        Run test
      </Button>
      {attempt.error && <ErrorAlert error={attempt.error} />}
      {matches !== undefined && (
        <Alert color={matches.length === 0 ? 'gray' : 'yellow'} role="status">
          {matches.length === 0 ? (
            <Text size="sm">No matches.</Text>
          ) : (
            matches.map(({ start, end, reason }) => (
              <Text key={`${start} ${end} ${reason}`} size="sm">
                “{sample.slice(start, end)}”: {reason}
              </Text>
            ))
          )}
        </Alert>
      )}
    </Stack>
  );
}
