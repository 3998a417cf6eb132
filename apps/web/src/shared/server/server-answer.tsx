import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from '@cairn/ui/controls/button.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { ServerRefusal } from './server-calls.ts';

type AnswerText = 'loading' | 'offline' | 'offlineText' | 'failed' | 'failedText' | 'again';

/** An area's own sentences for an answer that is not there. */
export type AnswerTexts = Record<AnswerText, string> & { notAllowed?: string; notAllowedText?: string };

type Props<A> = {
  query: Pick<UseQueryResult<A>, 'data' | 'error' | 'fetchStatus' | 'status' | 'refetch'>;
  words: AnswerTexts;
  /** Rows of the shape that stands there meanwhile. */
  rows?: number;
  /** Of the heading over why it is not there. */
  level?: 2 | 3;
  /** False where this device knows that the server will not answer this person. */
  isAllowed?: boolean;
  children: (answer: A) => ReactNode;
};

/** What only the server knows: its answer; before it, its shape; without it, why, and what to do. */
export function ServerAnswer<A>({ query, words, rows = 3, level = 2, isAllowed = true, children }: Props<A>) {
  if (query.data !== undefined) return children(query.data);
  if (query.fetchStatus === 'paused')
    return (
      <StateBlock state="offline" title={words.offline} level={level}>
        {words.offlineText}
      </StateBlock>
    );
  const isRefused = query.error instanceof ServerRefusal && query.error.code === '42501';
  if (words.notAllowed !== undefined && (isRefused || !isAllowed))
    return (
      <StateBlock state="not-allowed" title={words.notAllowed} level={level}>
        {words.notAllowedText}
      </StateBlock>
    );
  if (query.status === 'pending') return <SkeletonRows label={words.loading} rows={rows} />;
  return (
    <StateBlock
      state="failed"
      title={words.failed}
      level={level}
      action={<Button onClick={() => void query.refetch()}>{words.again}</Button>}
    >
      {words.failedText}
    </StateBlock>
  );
}
