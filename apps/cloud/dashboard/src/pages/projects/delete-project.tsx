import type { DashboardProject } from '@csg/shared/contract';
import { useNavigate } from 'react-router';
import { DeleteByName } from '../../components/delete-by-name.tsx';
import { countOf } from '../../data/format.ts';

export function DeleteProject(props: { readonly project: DashboardProject }) {
  const { id, name, keys } = props.project;
  const navigate = useNavigate();
  return (
    <DeleteByName
      what="project"
      name={name}
      about="Deletes the project and everything that belongs to it."
      effect={`Its policies, credentials, settings and events are deleted, its ${countOf(keys, 'API key')} stop working, and its devices are revoked. The audit log is kept.`}
      path={`/projects/${id}`}
      refresh={['/projects', '/keys', '/policies', '/devices', '/approvals']}
      onDone={() => navigate('/projects', { replace: true })}
    />
  );
}
