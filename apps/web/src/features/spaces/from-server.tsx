import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/button.tsx';
import { SkeletonRows } from '@cairn/ui/skeleton.tsx';
import { StateBlock } from '@cairn/ui/state-block.tsx';
import { ServerRefusal } from '../../shared/server-calls.ts';

type Props<A> = { query: UseQueryResult<A>; children: (answer: A) => ReactNode };

/** What the server answered; until then its shape, and in its place why it is not there. */
export function FromServer<A>({ query, children }: Props<A>) {
  const { t } = useTranslation('spaces');
  if (query.data !== undefined) return children(query.data);
  if (query.fetchStatus === 'paused')
    return (
      <StateBlock state="offline" title={t('server.offline')}>
        {t('server.offlineText')}
      </StateBlock>
    );
  if (query.status === 'pending') return <SkeletonRows label={t('loading')} rows={3} />;
  if (query.error instanceof ServerRefusal && query.error.code === '42501')
    return (
      <StateBlock state="not-allowed" title={t('server.notAllowed')}>
        {t('server.notAllowedText')}
      </StateBlock>
    );
  return (
    <StateBlock
      state="failed"
      title={t('server.failed')}
      action={<Button onClick={() => void query.refetch()}>{t('server.again')}</Button>}
    >
      {t('server.failedText')}
    </StateBlock>
  );
}
