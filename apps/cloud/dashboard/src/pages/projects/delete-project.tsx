import { Button, Card, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from 'react-router';
import { callApi } from '../../data/api.ts';
import { useAct } from '../../data/hooks.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { Section } from '../../parts/page.tsx';

export function DeleteProject(props: { readonly project: { readonly id: string; readonly name: string } }) {
  const { project } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (text) => (text.trim() === project.name ? null : 'Enter the name of the project.') },
  });
  const remove = useAct(() => callApi('DELETE', `/projects/${project.id}`), {
    refresh: ['/projects'],
    done: 'Project deleted.',
  });
  return (
    <Card>
      <Section title="Delete project" about="Its keys stop working within a second.">
        <Button variant="default" size="xs" onClick={open} w="fit-content">
          Delete this project
        </Button>
      </Section>
      <FormModal
        opened={isOpen}
        onClose={close}
        title={`Delete ${project.name}`}
        submit="Delete project"
        color="red.9"
        pending={remove.isPending}
        fault={remove.error}
        onSubmit={form.onSubmit(() => remove.mutate(undefined, { onSuccess: () => navigate('/projects') }))}
      >
        <Text size="sm">
          Its keys, policies, settings, credentials and events are deleted, and its devices are revoked. The
          audit log keeps what happened. This cannot be undone.
        </Text>
        <TextInput label={`Enter "${project.name}" to confirm`} {...form.getInputProps('name')} />
      </FormModal>
    </Card>
  );
}
