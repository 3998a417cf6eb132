import type { HTMLAttributes, ReactNode } from 'react';
import './surface.css';

type CardProps = HTMLAttributes<HTMLElement> & {
  /** No padding of its own: for lists and tables. */
  flush?: boolean;
  /** Names the part of the screen; the card then is a region. */
  label?: string;
};

/** A raised surface: one hairline, one shadow. Never a card in a card. */
export function Card({ flush = false, label, className = '', children, ...rest }: CardProps) {
  return (
    <section {...rest} className={`card${flush ? ' flush' : ''} ${className}`} aria-label={label}>
      {children}
    </section>
  );
}

type CardHeadProps = { title: string; count?: ReactNode; aside?: ReactNode; level?: 2 | 3 };

/** Title, count and act on top of a card. */
export function CardHead({ title, count, aside, level = 2 }: CardHeadProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className="card-head">
      <div className="row">
        <Heading className="h2">{title}</Heading>
        {count}
      </div>
      {aside}
    </div>
  );
}

/** Rows with a hairline between them. */
export function List({ label, children, className = '' }: { label?: string; children: ReactNode; className?: string }) {
  return (
    <ul className={`list ${className}`} aria-label={label}>
      {children}
    </ul>
  );
}

/** The classes of a row that is a link or a button: `<Link className={rowClass}>` inside `<li>`. */
export const rowClass = 'item';

type RowProps = {
  /** Its name. */
  title: ReactNode;
  /** One line of context. */
  detail?: ReactNode;
  /** Before the name: icon, avatar, tick. */
  start?: ReactNode;
  /** After the name: state, who, when, in that order. */
  end?: ReactNode;
};

/** What stands in a row: name, one line of context, state, who, when. Wrap it in what is pressed. */
export function RowFace({ title, detail, start, end }: RowProps) {
  return (
    <>
      {start}
      <span className="grow">
        <span className="t">{title}</span>
        {detail && <span className="d">{detail}</span>}
      </span>
      {end}
    </>
  );
}

/** A row that is only read. */
export function Row(props: RowProps) {
  return (
    <li className="item">
      <RowFace {...props} />
    </li>
  );
}

/** The square ground of an icon at the start of a row. */
export function RowIcon({
  children,
  tone = 'neutral',
}: {
  children: ReactNode;
  tone?: 'neutral' | 'bad' | 'accent' | 'good';
}) {
  return <span className={`row-icon ${tone}`}>{children}</span>;
}
