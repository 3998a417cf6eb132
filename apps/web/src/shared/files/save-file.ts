/** ms; some browsers read the file only after the click has returned. */
const READ_BY = 60_000;

/** Hands a file to the browser's downloads. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READ_BY);
}

/** A name every file system takes. */
export const pdfName = (title: string): string =>
  `${
    title
      .replaceAll(/[^\p{L}\p{N} -]+/gu, '')
      .trim()
      .slice(0, 80) || 'report'
  }.pdf`;
