import type { ReactNode } from 'react';
import { recordHere, type RecordName } from '@cairn/core/record-here.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { usePack } from '../../../features/marketplace/use-market.ts';
import { NothingHere } from './nothing-here.tsx';

/** What the address of a route names; packs lie on the server alone. */
export type AddressedRecord = RecordName | { table: 'policy_packs'; id: string };

type Props = { record: AddressedRecord; children: ReactNode };

/** `children`, which lead to where a record can be opened, only where there is that record: else there is nothing to lead to. */
export function RecordOfOtherWorld({ record, children }: Props) {
  return record.table === 'policy_packs' ? (
    <PackThere id={record.id}>{children}</PackThere>
  ) : (
    <RowHere record={record}>{children}</RowHere>
  );
}

function RowHere({ record, children }: { record: RecordName; children: ReactNode }) {
  const here = useLive(recordHere(record));
  if (here.status === 'loading') return null;
  return here.answer ? children : <NothingHere />;
}

/** A server that cannot be asked denies nothing; one that is being asked has said nothing yet. */
function PackThere({ id, children }: { id: string; children: ReactNode }) {
  const { data, isLoading } = usePack(id);
  if (isLoading) return null;
  return data?.length === 0 ? <NothingHere /> : children;
}
