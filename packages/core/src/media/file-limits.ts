/** bytes; what the server keeps as one file (the bucket and the table say the same). */
export const MOST_FILE_BYTES = 262_144_000;

/** bytes; the largest phone cameras stay under half of it. */
export const MOST_PHOTO_BYTES = 50_000_000;
