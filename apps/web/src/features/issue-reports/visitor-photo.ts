import { Failure } from '@cairn/base/failure.ts';
import { pictureShape } from '@cairn/base/picture-shape.ts';
import { VISITOR_LIMITS } from '@cairn/core/issue-reports/public-report.ts';
import { capturePhoto, type CapturedPhoto } from '../../shared/media/captured-photo.ts';
import { sha256Hex } from '../../shared/media/picture-facts.ts';

/** A visitor chose nothing: the place is taken out, and the picture is small enough for their own data plan. */
const WISHES = { strip_photo_location: true, photo_size: 'large' } as const;

/**
 * A picture as the server takes it from somebody it does not know: whole, and nothing behind its end.
 *
 * @throws {Failure} `invalid` when it is no picture of a known type, or larger than 8 MB
 */
export async function captureForVisitor(file: File): Promise<CapturedPhoto> {
  const taken = await capturePhoto(file, WISHES);
  const shape = pictureShape(new Uint8Array(taken.bytes));
  if (!shape || shape.end > VISITOR_LIMITS.photoBytes)
    throw new Failure('invalid', `captureForVisitor: ${taken.mime}, ${taken.bytes.byteLength} bytes`);
  if (shape.end === taken.bytes.byteLength) return { ...taken, mime: shape.mime };
  const bytes = taken.bytes.slice(0, shape.end);
  return { ...taken, bytes, mime: shape.mime, sha256: await sha256Hex(bytes) };
}
