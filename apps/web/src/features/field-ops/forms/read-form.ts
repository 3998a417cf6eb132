import type { NamedFile } from '@cairn/core/files/form-package.ts';
import type { ReadFormFiles } from '@cairn/core/import/form-files.ts';
import { bytesOf, unlessStalled } from '../../../shared/files/unless-stalled.ts';
import type { ReadFormMessage } from './read-form-worker.ts';

/**
 * Reads the files of a form that were chosen together, in a worker of ours.
 *
 * @throws {Failure} `stalled` when nothing goes on for 10 s; the worker is ended
 */
export async function readForm(files: readonly File[]): Promise<ReadFormFiles> {
  const named = await Promise.all(
    files.map(async (file): Promise<NamedFile> => ({ name: file.name, bytes: new Uint8Array(await bytesOf(file)) })),
  );
  const worker = new Worker(new URL('./read-form-worker.ts', import.meta.url), { type: 'module' });
  const end = () => worker.terminate();
  return unlessStalled(progress => answerOf(worker, named, progress), { end }).finally(end);
}

function answerOf(worker: Worker, files: readonly NamedFile[], progress: () => void): Promise<ReadFormFiles> {
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<ReadFormMessage>) => {
      if ('step' in data) progress();
      else if ('read' in data) resolve(data.read);
      else reject(new Error(data.error));
    });
    // What refuses to start says no more than that it did.
    worker.addEventListener('error', event =>
      reject(new Error(`the reader of forms: ${event.message || 'did not start'}`)),
    );
    worker.postMessage(files);
  });
}
