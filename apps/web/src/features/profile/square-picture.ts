import { Failure } from '@cairn/base/failure.ts';
import { cropImage, type CropArea } from '@cairn/ui/images/crop-image.ts';
import { sha256Hex } from '../../shared/media/picture-facts.ts';

/** px; enough for the largest place a face is shown, small enough for a slow line. */
const SIDE = 512;

export type SquarePicture = { bytes: ArrayBuffer; mime: string; sha256: string; side: number };

/**
 * Whether this browser can read the file as a picture, before anybody is asked to cut it.
 * @throws {Failure} `invalid` when it cannot
 */
export async function readablePicture(file: File): Promise<File> {
  const source = await createImageBitmap(file).catch((cause: unknown) => {
    throw new Failure('invalid', `readablePicture: ${file.type || 'unknown type'}`, { cause });
  });
  source.close();
  return file;
}

/** Cuts the chosen part to a small square; what the camera wrote beside the picture (place, time) is left out. */
export async function squarePicture(file: File, area: CropArea): Promise<SquarePicture> {
  const blob = await cropImage(file, area, SIDE);
  const bytes = await blob.arrayBuffer();
  return { bytes, mime: blob.type, sha256: await sha256Hex(bytes), side: SIDE };
}
