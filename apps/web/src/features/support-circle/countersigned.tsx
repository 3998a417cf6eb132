import { Clock, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { shortHash } from '@cairn/core/policies/policy-hash.ts';
import type { Countersignature } from '@cairn/core/support-circle/countersign.ts';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { SignedName } from '../../shared/records/signed-name.tsx';
import { usePendingRows } from '../../shared/sync/use-pending-rows.ts';
import type { CountersignPorts } from './countersign-ports.ts';

/** Whether a row is still on its way to the server, or was refused by it. */
export function OnItsWay({ table, id }: { table: 'countersignatures' | 'consent_grants'; id: string }) {
  const { t } = useTranslation('countersign');
  const { waits, refused } = usePendingRows(table);
  if (refused.has(id))
    return (
      <Pill tone="bad" icon={TriangleAlert}>
        {t('notTaken')}
      </Pill>
    );
  if (!waits.has(id)) return null;
  return (
    <Pill tone="warn" icon={Clock}>
      {t('willSend')}
    </Pill>
  );
}

type Props = Pick<CountersignPorts, 'renderDrawing'> & { answer: Countersignature };

/** What a partner said, by both clocks, and of which words. */
export function Countersigned({ answer, renderDrawing }: Props) {
  const { t } = useTranslation('countersign');
  const { formatInstant } = useFormat();
  const { decided_at: decided, received_at: received, signed_name: name, reason, content_hash: hash } = answer;
  return (
    <>
      <Facts
        look="across"
        facts={[
          [
            t('fact.name'),
            name && (
              <SignedName
                typed={name}
                account={answer.account_name}
                accountLine={account => t('accountLine', { name: account })}
              />
            ),
          ],
          [t('fact.reason'), reason === '' ? null : reason],
          [t('fact.content'), shortHash(hash), 'mono'],
          [t('fact.device'), formatInstant(new Date(decided)), 'num'],
          // A row of this device has no time of the server yet.
          [t('fact.server'), received ? formatInstant(new Date(received)) : t('whenReceived'), 'num'],
        ]}
      />
      {answer.method === 'drawn' && renderDrawing(answer.signature, t('drawing', { name: name ?? '' }))}
    </>
  );
}
