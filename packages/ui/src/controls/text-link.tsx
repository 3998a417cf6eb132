import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { ExternalLink } from 'lucide-react';
import { Icon } from './icon.tsx';

/** Classes of a link in running text or at the end of a card, for the router's Link. */
export const linkClass = 'link';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'children'> & {
  href: string;
  children: ReactNode;
  /** Said after the words when the link leaves the app, e.g. "opens in a new tab". */
  outside?: string;
};

/** A link by address. One that leaves the app opens beside it and says so. */
export function TextLink({ href, children, outside, className = '', ...rest }: Props) {
  const leaves = outside === undefined ? {} : { target: '_blank', rel: 'noreferrer' };
  return (
    <a {...rest} {...leaves} href={href} className={`link ${className}`}>
      {children}
      {outside !== undefined && (
        <>
          <Icon of={ExternalLink} size="s" />
          <span className="sr">{outside}</span>
        </>
      )}
    </a>
  );
}
