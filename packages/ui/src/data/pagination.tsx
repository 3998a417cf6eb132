import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../controls/button.tsx';
import { pagesToShow } from './pages-to-show.ts';
import './pagination.css';

type Props = {
  /** Names the navigation: "Pages of receipts". */
  label: string;
  /** From 1. */
  page: number;
  pages: number;
  onChange: (page: number) => void;
  previousLabel: string;
  nextLabel: string;
  /** Name of one page's button: "Page 3". */
  pageLabel: (page: number) => string;
  /** In words beside the buttons: "21–40 of 312". */
  figure: string;
};

/** Steps through what a server counts out. Lists on the device scroll instead. */
export function Pagination({ label, page, pages, onChange, previousLabel, nextLabel, pageLabel, figure }: Props) {
  return (
    <nav className="pages" aria-label={label}>
      <span className="muted sm num">{figure}</span>
      <div className="row pages-row">
        <IconButton label={previousLabel} icon={ChevronLeft} disabled={page <= 1} onClick={() => onChange(page - 1)} />
        {pagesToShow(page, pages).map((each, index) =>
          each === null ? (
            <span key={`gap-${index}`} className="page gap" aria-hidden="true">
              …
            </span>
          ) : (
            <button
              key={each}
              type="button"
              className="page num"
              aria-label={pageLabel(each)}
              aria-current={each === page ? 'page' : undefined}
              onClick={() => onChange(each)}
            >
              {each}
            </button>
          ),
        )}
        <IconButton label={nextLabel} icon={ChevronRight} disabled={page >= pages} onClick={() => onChange(page + 1)} />
      </div>
    </nav>
  );
}
