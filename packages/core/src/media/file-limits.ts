/** bytes; what the server keeps as one file (the bucket and the table say the same). */
export const MAX_FILE_BYTES = 262_144_000;

/** bytes; the largest phone cameras stay under half of it. */
export const MAX_PHOTO_BYTES = 50_000_000;
