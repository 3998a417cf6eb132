import { useEffect, useState } from 'react';
import { getFixedT } from 'i18next';
import { useLiveOutcome } from '@cairn/sync/use-live-outcome.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { keepError } from '../../shared/errors/recent-errors.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { mySpaces, type MySpaces } from './my-spaces.ts';

/**
 * The person's organisations and playbooks; null until first read. A `refresh-playbooks` event reads again (R4.25). Where the
 * playbooks cannot be read, that is said once (R8.42): those read before stay, and the rest of the app works.
 */
export function useMySpaces(): MySpaces | null {
  const { user, engine } = useSignedIn();
  const [reload, setReload] = useState(0);
  const [last, setLast] = useState<{ userId: string; spaces: MySpaces } | null>(null);
  const read = useLiveOutcome(mySpaces(user.id, { reload }));
  const rest = useLiveOutcome(read.status === 'failed' ? mySpaces(user.id, { reload, withPlaybooks: false }) : null);
  if (rest.status === 'failed') throw rest.error;

  useEffect(() => {
    const refresh = () => {
      engine.syncNow();
      setReload(count => count + 1);
    };
    addEventListener('refresh-playbooks', refresh);
    return () => removeEventListener('refresh-playbooks', refresh);
  }, [engine]);
  useFailureTold(read.status === 'failed' ? read.error : null);

  const ready = read.status === 'ready' ? read.answer : null;
  if (ready && last?.spaces !== ready) setLast({ userId: user.id, spaces: ready });

  // While a new read runs the last answer stands: the screen must not blink.
  const known = last?.userId === user.id ? last.spaces : null;
  return ready ?? known ?? (rest.status === 'ready' ? rest.answer : null);
}

function useFailureTold(error: unknown): void {
  useEffect(() => {
    if (error === null) return;
    const t = getFixedT(null, 'shell');
    keepError(error, t('playbooksFailed.title'), new Date());
    toast({
      title: t('playbooksFailed.title'),
      description: t('playbooksFailed.text'),
      tone: 'bad',
      action: { label: t('playbooksFailed.again'), onPress: () => void dispatchEvent(new Event('refresh-playbooks')) },
    });
  }, [error]);
}
