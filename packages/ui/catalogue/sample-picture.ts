const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="320"><rect width="480" height="320" fill="#7fa3b8"/><circle cx="340" cy="90" r="42" fill="#f4d58d"/><path d="M0 320 150 130l110 130 70-80 150 140Z" fill="#35556b"/></svg>`;

/** A small landscape, so that stories need no file and no network. */
export const SAMPLE_PICTURE = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
