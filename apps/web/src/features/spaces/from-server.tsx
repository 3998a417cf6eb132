import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ServerAnswer } from '../../shared/server/server-answer.tsx';

type Props<A> = { query: UseQueryResult<A>; children: (answer: A) => ReactNode };

/** What the server answered; until then its shape, and in its place why it is not there. */
export function FromServer<A>({ query, children }: Props<A>) {
  const { t } = useTranslation('spaces');
  const words = {
    loading: t('loading'),
    offline: t('server.offline'),
    offlineText: t('server.offlineText'),
    failed: t('server.failed'),
    failedText: t('server.failedText'),
    again: t('server.again'),
    notAllowed: t('server.notAllowed'),
    notAllowedText: t('server.notAllowedText'),
  };
  return (
    <ServerAnswer query={query} words={words}>
      {children}
    </ServerAnswer>
  );
}
