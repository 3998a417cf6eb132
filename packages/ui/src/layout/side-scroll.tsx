import type { ReactNode } from 'react';
import './side-scroll.css';

type Props = { label: string; children: ReactNode };

/** What may be wider than the screen, a table above all: it scrolls in itself, by keyboard too. */
export function SideScroll({ label, children }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <section className="side-scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
