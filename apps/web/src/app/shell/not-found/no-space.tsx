import { useTranslation } from 'react-i18next';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonHeading, SkeletonRows, SkeletonTiles } from '@cairn/ui/feedback/skeleton.tsx';
import { useSyncStatus } from '../../../shared/sync/use-sync-status.ts';
import { SignOutButton } from '../leave/sign-out-button.tsx';

/** Signed in and in no organisation: either the first pull has not ended, or there really is none. */
export function NoSpace() {
  const { t } = useTranslation('shell');
  const status = useSyncStatus();
  if (!status || (status.firstPull && status.online)) {
    return (
      <main className="arriving alone">
        <SkeletonHeading label={t('noSpace.waiting')} />
        <SkeletonTiles label={t('noSpace.waiting')} />
        <SkeletonRows label={t('noSpace.waiting')} />
      </main>
    );
  }
  return (
    <main className="alone">
      <EmptyState level={1} title={t('noSpace.title')} action={<SignOutButton />}>
        {t('noSpace.text')}
      </EmptyState>
    </main>
  );
}
