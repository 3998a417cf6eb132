import type { ReactNode } from 'react';
import type { ImporterColumns } from '@cairn/core/spaces/submitted-by.ts';
import type { LiveAnswer } from '@cairn/sync/use-live.ts';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonHeading, SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { SubmittedByLine } from './submitted-by.tsx';

type Props<A extends object> = {
  found: LiveAnswer<A | null>;
  /** What is said while it is read, and of what is not here. */
  words: { loading: string; missing: string; missingText: string };
  backLink: ReactNode;
  /** The row that may have been brought in its author's name: the page says so. */
  recordOf?: (answer: A) => ImporterColumns;
  children: (answer: A) => ReactNode;
};

/** The page of one record: while it is read, where it is not here, and with the way back above it. */
export function RecordPage<A extends object>({ found, words, backLink, recordOf, children }: Props<A>) {
  if (found.status === 'loading') {
    return (
      <div className="parts foot-room">
        <SkeletonHeading label={words.loading} />
        <SkeletonRows label={words.loading} rows={3} />
      </div>
    );
  }
  if (!found.answer) {
    return (
      <EmptyState level={1} title={words.missing} action={backLink}>
        {words.missingText}
      </EmptyState>
    );
  }
  return (
    <div className="parts foot-room">
      {backLink}
      {recordOf && <SubmittedByLine row={recordOf(found.answer)} />}
      {children(found.answer)}
    </div>
  );
}
