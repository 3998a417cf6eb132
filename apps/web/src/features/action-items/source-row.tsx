import type { ReactNode } from 'react';
import { RowFace } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import type { Action } from './action-screen-queries.ts';
import { StatusPill } from './status-pill.tsx';

type Props = { item: Action; renderAction: (id: string, face: ReactNode) => ReactNode };

/** One time that it went wrong. */
export function SourceRow({ item, renderAction }: Props) {
  const { formatDay } = useFormat();
  const day = formatDay(new Date(item.created_at));
  return (
    <li>
      {renderAction(item.id, <RowFace title={item.title} detail={day} end={<StatusPill status={item.status} />} />)}
    </li>
  );
}
