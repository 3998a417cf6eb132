import type { Page } from '@playwright/test';
import { encodeQR } from 'qr';

/** A photo of a code, drawn by the page itself: large squares on white. */
export async function photoOf(page: Page, code: string): Promise<Buffer> {
  const raw = encodeQR(code, 'raw', { border: 4 });
  const url = await page.evaluate(squares => {
    const size = 8;
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = squares.length * size;
    const brush = canvas.getContext('2d');
    if (!brush) throw new Error('no canvas');
    brush.fillStyle = '#fff';
    brush.fillRect(0, 0, canvas.width, canvas.height);
    brush.fillStyle = '#000';
    for (const [y, row] of squares.entries())
      for (const [x, dark] of row.entries()) if (dark) brush.fillRect(x * size, y * size, size, size);
    return canvas.toDataURL('image/png');
  }, raw);
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
}
