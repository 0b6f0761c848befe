import type { OrganizationAnswer } from '@csg/shared/contract';
import { DeleteByName } from '../../components/delete-by-name.tsx';

/** Only the owner sees it; afterwards the session shows another organization, if there is one. */
export function DeleteOrganization(props: { readonly organization: OrganizationAnswer }) {
  const { id, name, is_operator: isOperator } = props.organization;
  return (
    <DeleteByName
      what="organization"
      name={name}
      about="For all its members. Their accounts stay."
      effect={
        <>
          All its projects, policies, keys, requests and events are deleted, its devices are revoked, and its
          members lose access.
          {isOperator &&
            ' It is the organization of this gateway’s operator: the next start makes a new one and prints a first key and a set-up link.'}{' '}
          The audit log is kept.
        </>
      }
      path={`/organizations/${id}`}
      requiresPassword
      onDone={() => location.assign('/dashboard/')}
    />
  );
}
