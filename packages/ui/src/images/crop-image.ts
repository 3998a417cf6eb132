/** A part of a picture, in px of the picture as it is stored. */
export type CropArea = { x: number; y: number; width: number; height: number };

/**
 * Cuts the chosen part out of a picture and scales it to a square of `side` px.
 *
 * @returns a JPEG; location and camera data of the original are not in it
 * @throws {DOMException} when the file is no picture the browser can read
 */
export async function cropImage(picture: Blob, area: CropArea, side: number): Promise<Blob> {
  const bitmap = await createImageBitmap(picture, area.x, area.y, area.width, area.height, {
    resizeWidth: side,
    resizeHeight: side,
    resizeQuality: 'high',
  });
  const canvas = new OffscreenCanvas(side, side);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.88 });
}
