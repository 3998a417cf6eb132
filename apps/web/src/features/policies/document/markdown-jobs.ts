import { markdownHtml } from '@cairn/core/markdown/parse-markdown.ts';
import { sectionsOf, type Section } from '@cairn/core/policies/sections.ts';
import { documentDiff, type DocumentDiff } from '@cairn/core/policies/word-diff.ts';

/** A section and the HTML its body becomes, NOT safe to show yet; null where it is past a bound. */
export type SectionHtml = Section & { html: string | null };

/** What is asked of Markdown, and what comes of it. */
export type MarkdownJobs = {
  /** A text as it is read. */
  html: { asked: { markdown: string; level: number }; made: string | null };
  /** A policy cut at its headings. */
  sections: { asked: { markdown: string }; made: SectionHtml[] };
  diff: { asked: { before: string; after: string }; made: DocumentDiff };
};

export type MarkdownJob = { [K in keyof MarkdownJobs]: { kind: K } & MarkdownJobs[K]['asked'] }[keyof MarkdownJobs];
export type MarkdownResult<J extends MarkdownJob> = MarkdownJobs[J['kind']]['made'];

/** The level of headings inside of a section. */
const SECTION_LEVEL = 3;

const makeSections = (markdown: string): SectionHtml[] =>
  sectionsOf(markdown).map(section => ({ ...section, html: markdownHtml(section.body, SECTION_LEVEL) }));

/** Does it here and now. Within the bounds it takes a second or two at most; a worker does it beside the page. */
export function doMarkdown(job: MarkdownJob): MarkdownResult<MarkdownJob> {
  if (job.kind === 'html') return markdownHtml(job.markdown, job.level);
  return job.kind === 'sections' ? makeSections(job.markdown) : documentDiff(job.before, job.after);
}

/** The texts it is about. */
export const textsOf = (job: MarkdownJob): string[] => (job.kind === 'diff' ? [job.before, job.after] : [job.markdown]);
