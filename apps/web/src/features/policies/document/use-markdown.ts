import { useEffect, useMemo, useState } from 'react';
import { isSmallMarkdown, markdownFault } from '@cairn/core/markdown/markdown-bounds.ts';
import { MarkdownClient } from './markdown-client.ts';
import { doMarkdown, type MarkdownResult, type MarkdownJob, type SectionHtml, textsOf } from './markdown-jobs.ts';

/** `plain`: it is past a bound, or took too long, and is shown as the words it is. */
export type ParseState<T> = { status: 'ready'; made: T } | { status: 'waiting' } | { status: 'plain' };

const WAITING = { status: 'waiting' } as const;
const PLAIN = { status: 'plain' } as const;

const makeWorker = (): Worker => new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' });
const client = new MarkdownClient(makeWorker);

/** What was parsed last, so that going back and forth shows it at once. */
const KEPT = 12;
const known = new Map<string, ParseState<MarkdownResult<MarkdownJob>>>();

function remember(key: string, parsed: ParseState<MarkdownResult<MarkdownJob>>): void {
  known.set(key, parsed);
  for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest);
}

const parsedOf = (made: MarkdownResult<MarkdownJob> | undefined): ParseState<MarkdownResult<MarkdownJob>> =>
  made === undefined || made === null ? PLAIN : { status: 'ready', made };

/** Small texts are there with the first picture; without workers (tests, old engines) all are, within the bounds. */
function atOnce(job: MarkdownJob, key: string): ParseState<MarkdownResult<MarkdownJob>> | null {
  const before = known.get(key);
  if (before) return before;
  // Two versions are compared by their lines where they cannot be parsed.
  if (job.kind !== 'diff' && textsOf(job).some(text => markdownFault(text) !== null)) return PLAIN;
  const isFew = textsOf(job).every(text => isSmallMarkdown(text));
  return isFew || typeof Worker === 'undefined' ? parsedOf(doMarkdown(job)) : null;
}

/** Markdown that anybody may have written, parsed without the page standing still. */
export function useMarkdown<J extends MarkdownJob>(job: J): ParseState<NonNullable<MarkdownResult<J>>> {
  const key = JSON.stringify(job);
  // oxlint-disable-next-line react/exhaustive-deps -- the key is all that is in the job
  const now = useMemo(() => atOnce(job, key), [key]);
  const [later, setLater] = useState<{ key: string; parsed: ParseState<MarkdownResult<MarkdownJob>> } | null>(null);
  useEffect(() => {
    if (now) return undefined;
    return client.ask(job, made => {
      const parsed = parsedOf(made);
      remember(key, parsed);
      setLater({ key, parsed });
    });
    // oxlint-disable-next-line react/exhaustive-deps -- as above
  }, [key, now]);
  const parsed = now ?? (later?.key === key ? later.parsed : WAITING);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is made is of the kind that was asked
  return parsed as ParseState<NonNullable<MarkdownResult<J>>>;
}

export type PolicySections = { isWaiting: boolean; sections: readonly SectionHtml[] };

/** A policy's words cut at their headings; one section of plain words where they are past a bound. None while they are parsed. */
export function usePolicySections(markdown: string): PolicySections {
  const parsed = useMarkdown({ kind: 'sections', markdown });
  return useMemo(() => {
    if (parsed.status === 'ready') return { isWaiting: false, sections: parsed.made };
    if (parsed.status === 'waiting') return { isWaiting: true, sections: [] };
    return { isWaiting: false, sections: [{ id: 'section-1', title: '', body: markdown, html: null }] };
  }, [parsed, markdown]);
}
