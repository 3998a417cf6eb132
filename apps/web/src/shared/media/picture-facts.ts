/** SHA-256 of bytes, lower-case hex. */
export async function sha256Hex(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Its width and height, px; null where this browser cannot draw the format (HEIC on a computer). */
export async function sizeOf(file: Blob): Promise<{ width: number | null; height: number | null }> {
  if (typeof createImageBitmap !== 'function') return { width: null, height: null };
  try {
    const picture = await createImageBitmap(file);
    const size = { width: picture.width, height: picture.height };
    picture.close();
    return size;
  } catch {
    // A format this browser cannot draw is still evidence; only its size stays unknown.
    return { width: null, height: null };
  }
}
