/**
 * The page numbers worth a button: the first, the last, the present one and its neighbours. A `null` stands for a gap;
 * a gap of one page is that page. Never more than seven entries.
 */
export function pagesToShow(page: number, pages: number): (number | null)[] {
  const near = [1, page - 1, page, page + 1, pages];
  const shown = [...new Set(near)].filter(each => each >= 1 && each <= pages).toSorted((a, b) => a - b);
  return shown.flatMap((each, index) => {
    const before = shown[index - 1] ?? each - 1;
    if (each - before === 2) return [each - 1, each];
    return each - before > 2 ? [null, each] : [each];
  });
}
