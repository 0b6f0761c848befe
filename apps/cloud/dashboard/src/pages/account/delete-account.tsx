import { DeleteByName } from '../../components/delete-by-name.tsx';
import { useSession } from '../../data/session.ts';

/** Reloads the page afterwards, because the session has ended. */
export function DeleteAccount() {
  const { user } = useSession();
  return (
    <DeleteByName
      what="account"
      name={user.email}
      about="Transfer or delete organizations with other members first."
      effect="Organizations in which you are the only member are deleted with all their projects, API keys and events. In all other organizations, the API keys you created and the devices assigned to you stop working. Your name, email address and sessions are deleted."
      path="/account"
      requiresPassword
      onDone={() => location.assign('/dashboard/')}
    />
  );
}
