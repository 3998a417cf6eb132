import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import { type FormPicture, MOST_PICTURE_BYTES, PICTURE_SIDE } from '@cairn/core/field-ops/form-pictures.ts';

/** Tried one after the other until the picture is small enough. */
const QUALITIES = [0.82, 0.65, 0.45, 0.25];

/**
 * A picked picture as small as a choice needs it: a JPEG on white that every device can carry.
 *
 * @throws {Failure} `invalid` when this browser cannot draw it
 */
export async function formPicture(file: Blob, name: string): Promise<FormPicture> {
  const drawn = await createImageBitmap(file).catch((cause: unknown) => {
    throw new Failure('invalid', 'formPicture: no picture', { cause });
  });
  const scale = Math.min(1, PICTURE_SIDE / Math.max(drawn.width, drawn.height));
  const [width, height] = [drawn.width, drawn.height].map(side => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context) {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.drawImage(drawn, 0, 0, width, height);
  }
  drawn.close();
  for (const quality of QUALITIES) {
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
    if (blob.size <= MOST_PICTURE_BYTES) {
      return { id: newId(), name: name.slice(0, 200), width, height, data: await base64Of(blob) };
    }
  }
  throw new Failure('invalid', 'formPicture: too large');
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
}

/** The bytes of a picture as it is kept. */
export const pictureBytes = ({ data }: Pick<FormPicture, 'data'>): Uint8Array =>
  Uint8Array.from(atob(data), letter => letter.charCodeAt(0));

/** What an `<img>` shows of it. */
export const pictureUrl = ({ data }: Pick<FormPicture, 'data'>): string => `data:image/jpeg;base64,${data}`;
