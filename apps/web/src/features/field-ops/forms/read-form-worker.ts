import type { NamedFile } from '@cairn/core/files/form-package.ts';
import { readFormFiles, type ReadFormFiles } from '@cairn/core/import/form-files.ts';

/** What the page sends: the files that were chosen together. */
export type ReadFormRequest = readonly NamedFile[];
/** What it gets: a sign at each step, then what was read or the error that ended it. */
export type ReadFormMessage = { step: true } | { read: ReadFormFiles } | { error: string };

/** A workbook of a few megabytes takes seconds: it is read beside the page, which stays alive and can end it. */
const send = (message: ReadFormMessage) => self.postMessage(message);

self.addEventListener('message', ({ data }: MessageEvent<ReadFormRequest>) => {
  readFormFiles(data, () => send({ step: true })).then(
    read => send({ read }),
    (error: unknown) => send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
