import { privateTasks } from '@cairn/core/support-circle/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSignedIn } from '../../shared/session/session.ts';

/** Open tasks of the person's private space, never of an organisation. */
export function usePrivateTasks(): readonly { id: string; name: string }[] {
  const { user } = useSignedIn();
  const found = useLive(privateTasks(user.id));
  return found.status === 'ready' ? found.answer.map(({ id, title }) => ({ id, name: title })) : [];
}
