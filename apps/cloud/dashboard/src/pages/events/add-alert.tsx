import type { AlertRecord, CreateAlert, EndpointRecord } from '@csg/shared/contract';
import { Anchor, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { FormModal } from '../../components/form-modal.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { readFilter } from './event-filters.tsx';

export const WINDOWS = [
  { value: '5', label: '5 minutes' },
  { value: '60', label: 'an hour' },
  { value: '1440', label: 'a day' },
];

/** The filters of the page that an alert has: all but times. */
function alertFilter(params: URLSearchParams): CreateAlert['filter'] {
  const { from, to, ...filter } = readFilter(params);
  return filter as CreateAlert['filter'];
}

export function AddAlert(props: { readonly params: URLSearchParams; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [threshold, setThreshold] = useState('10');
  const [minutes, setMinutes] = useState('60');
  const [endpointId, setEndpointId] = useState<string | null>(null);
  const targets = useApiQuery<EndpointRecord[]>('/endpoints', { query: { kind: 'notification' } });
  const add = useApiMutation((body: CreateAlert) => callApi<AlertRecord>('POST', '/alerts', { body }), {
    refresh: ['/alerts'],
    successMessage: ({ name: added }) => `Alert ${added} added.`,
    quiet: true,
  });
  const target = endpointId ?? targets.data?.[0]?.id ?? null;
  return (
    <FormModal
      opened
      onClose={props.onClose}
      title="Add an alert"
      submit="Add alert"
      pending={add.isPending}
      error={add.error}
      onSubmit={(event) => {
        event.preventDefault();
        const filter = alertFilter(props.params);
        const counted = { filter, threshold: Number(threshold), window_minutes: Number(minutes) };
        add.mutate({ name, ...counted, endpoint_id: target ?? '' }, { onSuccess: props.onClose });
      }}
    >
      <Text size="sm">
        Counts the events that match the current filters as they arrive, and notifies at most once in the
        given time. The time range of the page does not matter.
      </Text>
      <TextInput
        label="Name"
        required
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="From this number of events on"
        required
        type="number"
        min={1}
        max={10_000}
        value={threshold}
        onChange={(event) => setThreshold(event.currentTarget.value)}
      />
      <Select
        label="Within"
        data={WINDOWS}
        value={minutes}
        allowDeselect={false}
        onChange={(value) => setMinutes(value ?? '60')}
      />
      <Select
        label="Notify"
        required
        data={(targets.data ?? []).map(({ id, address }) => ({ value: id, label: address }))}
        value={target}
        allowDeselect={false}
        onChange={setEndpointId}
      />
      {targets.data?.length === 0 && (
        <Text size="sm">
          No notification target yet.{' '}
          <Anchor component={Link} to="/endpoints?kind=notification" size="sm">
            Add one on the page Endpoints
          </Anchor>
          .
        </Text>
      )}
    </FormModal>
  );
}
