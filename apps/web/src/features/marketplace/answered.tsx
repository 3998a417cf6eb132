import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/button.tsx';
import { SkeletonRows } from '@cairn/ui/skeleton.tsx';
import { StateBlock } from '@cairn/ui/state-block.tsx';

type Props<A> = { query: UseQueryResult<A>; children: (answer: A) => ReactNode };

/** What the server answered; before that, or where it did not, why not. */
export function Answered<A>({ query, children }: Props<A>) {
  const { t } = useTranslation('marketplace');
  if (query.data !== undefined) return children(query.data);
  if (query.fetchStatus === 'paused')
    return (
      <StateBlock state="offline" title={t('offline')}>
        {t('offlineText')}
      </StateBlock>
    );
  if (query.status === 'pending') return <SkeletonRows label={t('loading')} rows={5} />;
  return (
    <StateBlock
      state="failed"
      title={t('failed')}
      action={<Button onClick={() => void query.refetch()}>{t('again')}</Button>}
    >
      {t('failedText')}
    </StateBlock>
  );
}
