import { DeleteByName } from '../../components/delete-by-name.tsx';
import { useSession } from '../../data/session.ts';

/** Afterwards nobody is signed in here: the whole page begins anew. */
export function DeleteAccount() {
  const { user } = useSession();
  return (
    <DeleteByName
      what="account"
      name={user.email}
      about="Organizations that others belong to are transferred or deleted first."
      effect="Organizations of which you are the only member are deleted with all their projects, keys and events. In every other one, the keys that you made and the devices bound to you stop working. Then your name, address and sessions are deleted."
      path="/account"
      requiresPassword
      onDone={() => location.assign('/dashboard/')}
    />
  );
}
