import type { ReactNode } from 'react';
import { ChevronRight } from 'lucide-react';
import { Icon } from '../controls/icon.tsx';
import './breadcrumbs.css';

type Props = {
  /** Names the navigation, e.g. "You are here". */
  label: string;
  /** Links from the top down, made by the router. */
  links: readonly { key: string; link: ReactNode }[];
  /** The page itself. */
  current: string;
};

/** Where this page hangs. On a phone only the last step back shows. */
export function Breadcrumbs({ label, links, current }: Props) {
  return (
    <nav aria-label={label} className="crumbs">
      <ol>
        {links.map(({ key, link }) => (
          <li key={key}>
            {link}
            <Icon of={ChevronRight} size="s" className="flip" />
          </li>
        ))}
        <li aria-current="page">{current}</li>
      </ol>
    </nav>
  );
}
