import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon, type IconComponent } from './icon.tsx';
import './button.css';

export type ButtonLook = {
  /** One primary per view; quiet for the second act, plain for the third, danger only where something is lost. */
  variant?: 'primary' | 'quiet' | 'plain' | 'danger' | 'danger-quiet';
  /** `lg` is the persistent act at the bottom of a flow (52 px). */
  size?: 'sm' | 'md' | 'lg';
  /** Takes the full width. */
  block?: boolean;
};

/** The classes of a button, for a link that acts like one: `<Link className={buttonClass({ variant: 'primary' })}>`. */
export function buttonClass({ variant = 'quiet', size = 'md', block = false }: ButtonLook = {}): string {
  return `btn ${variant} ${size}${block ? ' block' : ''}`;
}

type ButtonProps = ButtonLook &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
    children: ReactNode;
    /** Shown before the words. */
    icon?: IconComponent;
    /** Shown after the words. */
    iconEnd?: IconComponent;
    /** At work: keeps its width, says so with `busyText`, and takes no second press. */
    busy?: boolean;
    busyText?: string;
    /** Takes no press for a moment, and looks as ever. */
    notYet?: boolean;
  };

/** A button. It stays focusable while busy, so that focus is not thrown away. */
export function Button(props: ButtonProps) {
  const { variant, size, block, icon, iconEnd, busy, busyText, notYet, children, ...rest } = props;
  const isDeaf = busy || notYet;
  const look = { ...(variant && { variant }), ...(size && { size }), ...(block && { block }) };
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass(look)} ${rest.className ?? ''}`}
      aria-busy={busy || undefined}
      aria-disabled={isDeaf || undefined}
      onClick={isDeaf ? event => event.preventDefault() : rest.onClick}
    >
      {busy ? <span className="ring" aria-hidden="true" /> : icon && <Icon of={icon} />}
      <span>{busy ? (busyText ?? children) : children}</span>
      {!busy && iconEnd && <Icon of={iconEnd} className="flip" />}
    </button>
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
  /** What it does; read aloud and shown as a tip. */
  label: string;
  icon: IconComponent;
};

/** A round 44 px button with an icon only; its name is for screen readers and the tip. */
export function IconButton({ label, icon, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={`icon-btn ${className}`} aria-label={label} title={label}>
      <Icon of={icon} />
    </button>
  );
}
