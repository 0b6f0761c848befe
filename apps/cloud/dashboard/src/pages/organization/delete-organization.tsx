import type { OrganizationResponse } from '@csg/shared/contract';
import { DeleteByName } from '../../components/delete-by-name.tsx';

/** Only for the owner. The session then switches to another organization, if there is one. */
export function DeleteOrganization(props: { readonly organization: OrganizationResponse }) {
  const { id, name, is_operator: isOperator } = props.organization;
  return (
    <DeleteByName
      what="organization"
      name={name}
      about="Deletes the organization for all its members. Their accounts are kept."
      effect={
        <>
          All its projects, policies, API keys, requests and events are deleted, its devices are revoked, and
          its members lose access.
          {isOperator &&
            ' This is the organization of the operator of this gateway. The next start creates a new one and prints an API key and a set-up link.'}{' '}
          The audit log is kept.
        </>
      }
      path={`/organizations/${id}`}
      requiresPassword
      onDone={() => location.assign('/dashboard/')}
    />
  );
}
