import { doMarkdown, type MarkdownJob } from './markdown-jobs.ts';

/** Markdown beside the page: whatever somebody wrote, the page goes on answering, and ends this where it takes too long. */
addEventListener('message', ({ data }: MessageEvent<MarkdownJob>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker answers the page that made it
  postMessage({ made: doMarkdown(data) });
});

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
postMessage({ ready: true });
