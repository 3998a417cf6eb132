import { useEffect } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSyncStatus } from '../../shared/sync/use-sync-status.ts';
import { placeOf, type RememberedChoice } from './choose-space.ts';
import type { MySpaces } from './my-spaces.ts';

/** ms; what a pull brought is read a moment after the pull has ended. */
const PATIENCE_MS = 1500;

type LinkContext = { mine: MySpaces | null; chosen: RememberedChoice; open: (place: RememberedChoice) => void };

/**
 * Opens a link in the organisation and playbook it names (`?organization=…&playbook=…`): at once where the person is in
 * them, else once the first pull of this device has told. The address is shortened afterwards.
 *
 * @returns the place to show now; null where the link names none
 */
export function useLinkPlace({ mine, chosen, open }: LinkContext): RememberedChoice | null {
  const { t } = useTranslation('shell');
  const { organization = null, playbook = null } = useSearch({ from: '__root__' });
  const navigate = useNavigate();
  const status = useSyncStatus();
  const isAsked = organization !== null || playbook !== null;
  const place = mine && isAsked ? placeOf(mine, { organizationId: organization, playbookId: playbook }, chosen) : null;
  const isHopeless = isAsked && mine !== null && place === null && status !== null && !status.firstPull;
  const found = place && `${place.organizationId}/${place.playbookId ?? ''}`;

  useEffect(() => {
    if (!place && !isHopeless) return undefined;
    const shorten = () =>
      void navigate({
        to: '.',
        search: ({ organization: _organization, playbook: _playbook, ...rest }) => rest,
        replace: true,
      });
    if (place) {
      open(place);
      shorten();
      return undefined;
    }
    const giveUp = setTimeout(() => {
      toast({ title: t('link.unknown'), description: t('link.unknownDetail') });
      shorten();
    }, PATIENCE_MS);
    return () => clearTimeout(giveUp);
  }, [found, isHopeless]);

  return place;
}
