import { keepSharedFiles } from '@cairn/sync/files/shared-files.ts';

/** What the share screen is told when a share could not be kept. */
export type ShareProblem = 'empty' | 'full' | 'failed';

const backTo = (problem?: ShareProblem): Response =>
  Response.redirect(problem ? `/share?problem=${problem}` : '/share', 303);

/** Files and bytes of one share; what waits in all is bounded where it is kept. */
const MAX_FILES = 20;
const MAX_BYTES = 100 * 1024 * 1024;

/** Another app's share names no page; a page elsewhere that posts a form does, and has nothing to hand over here. */
function isFromElsewhere({ referrer, url }: Request): boolean {
  return URL.canParse(referrer) && new URL(referrer).origin !== new URL(url).origin;
}

const isTooMuch = (files: readonly File[]): boolean =>
  files.length > MAX_FILES || files.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES;

/** Keeps the photos and files that another app posted, then opens the page where the person says what they belong to. */
export async function receiveShare(request: Request): Promise<Response> {
  if (isFromElsewhere(request)) return backTo('failed');
  try {
    const form = await request.formData();
    const files = form.getAll('files').filter(each => each instanceof File && each.size > 0) as File[];
    if (files.length === 0) return backTo('empty');
    if (isTooMuch(files)) return backTo('full');
    const at = new Date().toISOString();
    const kept = files.map(async file => ({ name: file.name, mime: file.type, bytes: await file.arrayBuffer(), at }));
    await keepSharedFiles(await Promise.all(kept));
    return backTo();
  } catch (error) {
    // Nothing of it was kept; the other app still has it, and the page says what to do.
    return backTo(error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'failed');
  }
}
