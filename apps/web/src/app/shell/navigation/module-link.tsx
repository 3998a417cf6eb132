import type { ComponentProps, ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { pathOf, type ModuleId } from '@cairn/core/spaces/modules.ts';

type Props = Pick<ComponentProps<'a'>, 'className' | 'title' | 'aria-label' | 'onClick'> & {
  to: ModuleId;
  children: ReactNode;
};

/** A link to a module by its name in the table. Only modules whose route stands are ever linked to. */
export function ModuleLink({ to, children, ...rest }: Props) {
  const path: string = pathOf(to);
  return (
    <Link to={path} {...rest}>
      {children}
    </Link>
  );
}
