import { stripLocation } from '@cairn/core/media/strip-location.ts';
import { defaultPreferences, type Preferences } from '@cairn/core/preferences/preferences.ts';
import { storedPreferences } from '@cairn/core/preferences/queries.ts';
import type { Store } from '@cairn/sync/store.ts';

/** What a person wants done with a photo before it is kept. */
export type PhotoWishes = Pick<Preferences, 'strip_photo_location' | 'photo_size'>;

/** px of the longer side. */
const MAX_SIDE_PX = { large: 2560, small: 1280 };
/** Of JPEG, 0 to 1: below it, edges of cracks and letters begin to smear. */
const QUALITY = 0.85;

/** What this person chose, or the defaults. */
export async function photoWishes(store: Store): Promise<PhotoWishes> {
  const stored = await store.read(storedPreferences(store.owner));
  return { ...defaultPreferences(store.owner), ...stored };
}

/** Drawn anew at that size; null where that would not make it smaller, or this browser cannot draw the format. */
async function drawnSmaller(picture: Blob, longest: number): Promise<Blob | null> {
  if (typeof OffscreenCanvas !== 'function' || typeof createImageBitmap !== 'function') return null;
  const source = await createImageBitmap(picture).catch(() => null);
  if (source === null) return null;
  try {
    const share = longest / Math.max(source.width, source.height);
    if (share >= 1) return null;
    const canvas = new OffscreenCanvas(Math.round(source.width * share), Math.round(source.height * share));
    canvas.getContext('2d')?.drawImage(source, 0, 0, canvas.width, canvas.height);
    const drawn = await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
    return drawn.size < picture.size ? drawn : null;
  } finally {
    source.close();
  }
}

/** The picture as it is to be kept. What cannot be made smaller stays as it is: evidence before room. */
export async function asWished(picture: Blob, wishes: PhotoWishes): Promise<{ bytes: ArrayBuffer; mime: string }> {
  const longest = wishes.photo_size === 'original' ? null : MAX_SIDE_PX[wishes.photo_size];
  const smaller = longest === null ? null : await drawnSmaller(picture, longest);
  // What is drawn anew holds nothing but the picture.
  if (smaller) return { bytes: await smaller.arrayBuffer(), mime: smaller.type };
  const bytes = await picture.arrayBuffer();
  return { bytes: wishes.strip_photo_location ? stripLocation(bytes) : bytes, mime: picture.type };
}
