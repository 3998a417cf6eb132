import { newId } from '@cairn/base/id.ts';
import { type FormPicture, MAX_PICTURE_BYTES, PICTURE_SIDE } from '@cairn/core/forms/definition/form-pictures.ts';
import { smallPicture } from '../../../shared/media/small-picture.ts';

/**
 * A picked picture as small as a choice needs it.
 *
 * @throws {Failure} `invalid` when this browser cannot draw it
 */
export async function formPicture(file: Blob, name: string): Promise<FormPicture> {
  const small = await smallPicture(file, { side: PICTURE_SIDE, maxBytes: MAX_PICTURE_BYTES });
  return { id: newId(), name: name.slice(0, 200), ...small };
}

/** The bytes of a picture as it is kept. */
export const pictureBytes = ({ data }: Pick<FormPicture, 'data'>): Uint8Array =>
  Uint8Array.from(atob(data), char => char.charCodeAt(0));
