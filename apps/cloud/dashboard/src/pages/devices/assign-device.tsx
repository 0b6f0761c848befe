import type { AssignDevice, DeviceRecord } from '@csg/shared/contract';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { FormModal } from '../../components/form-modal.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useMemberChoices } from '../../data/hooks.ts';

/** Selects the owner of a device. */
export function AssignDeviceModal(props: { readonly device: DeviceRecord; readonly onClose: () => void }) {
  const { device, onClose } = props;
  const [email, setEmail] = useState(device.user_email);
  const members = useMemberChoices();
  const assign = useApiMutation((body: AssignDevice) => callApi('PATCH', `/devices/${device.id}`, { body }), {
    refresh: ['/devices'],
    successMessage: email === null ? 'Owner removed.' : `Device assigned to ${email}.`,
    quiet: true,
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Assign "${device.name}"`}
      submit="Save owner"
      pending={assign.isPending}
      error={assign.error}
      onSubmit={(event) => {
        event.preventDefault();
        assign.mutate({ user_email: email ?? '' }, { onSuccess: onClose });
      }}
    >
      <Select
        label="Owner"
        description="The device is revoked when its owner leaves the organization."
        placeholder="No owner"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Remove owner' }}
        nothingFoundMessage="No matching member"
        data={members}
        value={email}
        onChange={setEmail}
        data-autofocus
      />
    </FormModal>
  );
}
