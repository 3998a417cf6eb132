import { Failure } from '@cairn/base/failure.ts';

/** px; enough for the largest place a face is shown, small enough for a slow line. */
const SIDE = 512;

export type SquarePicture = { bytes: ArrayBuffer; mime: string; sha256: string; side: number };

/**
 * Cuts a picture square around its middle and makes it small; what the camera wrote beside it (place, time) is left out.
 *
 * @throws {Failure} `invalid` when this browser cannot read it as a picture
 */
export async function squarePicture(file: File): Promise<SquarePicture> {
  const source = await createImageBitmap(file).catch((cause: unknown) => {
    throw new Failure('invalid', `squarePicture: ${file.type || 'unknown type'}`, { cause });
  });
  const cut = Math.min(source.width, source.height);
  const side = Math.min(SIDE, cut);
  const canvas = new OffscreenCanvas(side, side);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Failure('invalid', 'squarePicture: no canvas');
  pen.drawImage(source, (source.width - cut) / 2, (source.height - cut) / 2, cut, cut, 0, 0, side, side);
  source.close();
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
  const bytes = await blob.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
  return { bytes, mime: blob.type, sha256, side };
}
