import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { TextLayer } from './pdf-engine.ts';

/** Points (1/72 inch). */
export type PageSize = { width: number; height: number };

/** px of one drawing surface: what every phone takes. */
const MAX_PIXELS = 12_000_000;
/** Screens finer than this show no more of a letter. */
const MAX_DENSITY = 2;

type PageSurface = { canvas: HTMLCanvasElement; words: HTMLDivElement; /** px */ width: number };

export type Drawing = {
  /** The size of the page, points; null where it was given up. */
  done: Promise<PageSize | null>;
  /** Stops, and gives the memory back. */
  end: () => void;
};

type CancelHandle = { isEnded: boolean; acts: (() => void)[] };

async function draw(
  page: PDFPageProxy,
  { canvas, words, width }: PageSurface,
  stop: CancelHandle,
): Promise<PageSize | null> {
  const size = page.getViewport({ scale: 1 });
  const scale = width / size.width;
  const viewport = page.getViewport({ scale });
  const fits = Math.sqrt(MAX_PIXELS / (viewport.width * viewport.height));
  const density = Math.min(globalThis.devicePixelRatio || 1, MAX_DENSITY, fits);
  canvas.width = Math.floor(viewport.width * density);
  canvas.height = Math.floor(viewport.height * density);
  const transform = density === 1 ? undefined : [density, 0, 0, density, 0, 0];
  const task = page.render({ canvas, viewport, ...(transform && { transform }) });
  stop.acts.push(() => task.cancel());
  await task.promise;
  if (stop.isEnded) return null;
  words.style.setProperty('--total-scale-factor', String(scale));
  words.replaceChildren();
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: words, viewport });
  stop.acts.push(() => layer.cancel());
  await layer.render();
  return stop.isEnded ? null : { width: size.width, height: size.height };
}

/** Draws a page and lays its words over it. Nothing it links to or reacts with is drawn as such: annotations stay pictures. */
export function drawPage(pdf: PDFDocumentProxy, number: number, place: PageSurface): Drawing {
  const stop: CancelHandle = { isEnded: false, acts: [] };
  const done = pdf
    .getPage(number)
    .then(page => (stop.isEnded ? null : draw(page, place, stop)))
    // What was given up says so by an error; a page that cannot be drawn stays empty, and is not counted as seen.
    .catch(() => null);
  const end = () => {
    stop.isEnded = true;
    for (const act of stop.acts) act();
    place.canvas.width = 0;
    place.canvas.height = 0;
    place.words.replaceChildren();
  };
  return { done, end };
}
