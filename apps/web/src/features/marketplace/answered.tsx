import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ServerAnswer } from '../../shared/server/server-answer.tsx';

type Props<A> = { query: UseQueryResult<A>; children: (answer: A) => ReactNode };

/** What the marketplace answered, or why it did not. */
export function Answered<A>({ query, children }: Props<A>) {
  const { t } = useTranslation('marketplace');
  const words = {
    loading: t('loading'),
    offline: t('offline'),
    offlineText: t('offlineText'),
    failed: t('failed'),
    failedText: t('failedText'),
    again: t('again'),
  };
  return (
    <ServerAnswer query={query} words={words} rows={5}>
      {children}
    </ServerAnswer>
  );
}
