import { Failure } from '@cairn/base/failure.ts';

/** Tried one after the other until the picture is small enough. */
const QUALITIES = [0.82, 0.65, 0.45, 0.25];

/** `side`: px of the longer side at most. */
type Bounds = { side: number; maxBytes: number };

/** `data`: the bytes of a JPEG, base64. */
export type SmallPicture = { width: number; height: number; data: string };

/**
 * A picked picture as small as every device can carry it: a JPEG on white.
 *
 * @throws {Failure} `invalid` when this browser cannot draw it, or not so small
 */
export async function smallPicture(file: Blob, { side, maxBytes }: Bounds): Promise<SmallPicture> {
  const drawn = await createImageBitmap(file).catch((cause: unknown) => {
    throw new Failure('invalid', 'smallPicture: no picture', { cause });
  });
  const scale = Math.min(1, side / Math.max(drawn.width, drawn.height));
  const [width, height] = [drawn.width, drawn.height].map(each => Math.max(1, Math.round(each * scale))) as [
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
    if (blob.size <= maxBytes) return { width, height, data: await base64Of(blob) };
  }
  throw new Failure('invalid', 'smallPicture: too large');
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
}

/** What an `<img>` shows of it. */
export const pictureUrl = ({ data }: Pick<SmallPicture, 'data'>): string => `data:image/jpeg;base64,${data}`;
