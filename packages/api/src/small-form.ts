import { Buffer } from 'node:buffer';

/** What a form may hold before it is read: so many parts, so many bytes of headers each. */
const MAX_PARTS = 16;
const MAX_HEADER_BYTES = 16_384;

const TYPE = /^multipart\/form-data\s*;[^]{0,200}?boundary=(?:"([^"]{1,100})"|([^\s;"]{1,100}))/i;

function isSmall(form: Buffer, boundary: string): boolean {
  const mark = `\r\n--${boundary}`;
  let parts = 0;
  // The first mark stands at the beginning, without the end of a line before it.
  for (let end = mark.length - 2; ;) {
    const line = form.subarray(end, end + 2).toString('latin1');
    if (line !== '\r\n') return line === '--';
    parts += 1;
    const headers = form.subarray(end, end + MAX_HEADER_BYTES).indexOf('\r\n\r\n');
    if (parts > MAX_PARTS || headers < 0) return false;
    const next = form.indexOf(mark, end + headers + 2);
    if (next < 0) return false;
    end = next + mark.length;
  }
}

/**
 * Reads a multipart form that is small in everything but its files. What reads forms spends seconds on a hundred thousand parts, or
 * on one with headers of megabytes, and nobody else is answered meanwhile.
 *
 * @param type the request's Content-Type
 * @returns null for what is no such form
 */
export async function readSmallForm(bytes: ArrayBuffer, type: string): Promise<FormData | null> {
  const [, quoted, plain] = TYPE.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || !isSmall(Buffer.from(bytes), boundary)) return null;
  return new Response(bytes, { headers: { 'Content-Type': type } }).formData().catch(() => null);
}
