import { useTranslation } from 'react-i18next';
import { CloudCheck } from 'lucide-react';
import type { Receipt } from '@cairn/sync/transport/backend.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { useMoreRows } from '@cairn/ui/data/more-rows.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { contentsText } from './contents-text.ts';
import { exactly } from '../conflicts/field-text.ts';

/** The newest receipts stand open; the others one press away. */
const SHOWN = 3;
const STEP = 100;

/** The server's word that bursts of work are complete, newest first. */
export function ReceiptList({ receipts, now }: { receipts: readonly Receipt[]; now: Date }) {
  const { t } = useTranslation('sync');
  const { shown, more } = useMoreRows(receipts, { first: SHOWN, step: STEP });
  const isLastStep = receipts.length <= SHOWN + STEP;
  return (
    <div className="receipts">
      {shown.map(receipt => (
        <ReceiptCard key={receipt.id} receipt={receipt} now={now} />
      ))}
      {more && (
        <Button variant="plain" onClick={more}>
          {isLastStep ? t('receipt.all', { count: receipts.length }) : t('more')}
        </Button>
      )}
    </div>
  );
}

function ReceiptCard({ receipt, now }: { receipt: Receipt; now: Date }) {
  const { t } = useTranslation('sync');
  const { formatTime, formatDay, daysBetween } = useFormat();
  const received = new Date(receipt.received_at);
  const day = daysBetween(received, now) === 0 ? t('receipt.today') : formatDay(received, now);
  return (
    <Card className="receipt" label={t('receipt.label', { no: receipt.no })}>
      <div className="row between wrap">
        <Pill tone="good" icon={CloudCheck}>
          {t('receipt.once')}
        </Pill>
        <span className="sm muted num">{`${day} ${formatTime(received)}`}</span>
      </div>
      <p className="h2">{contentsText(receipt.contents, t)}</p>
      <Facts
        look="across"
        facts={[
          [t('receipt.phoneTime'), exactly(receipt.device_at), 'num'],
          [t('receipt.serverTime'), exactly(receipt.received_at), 'num'],
          [t('receipt.filesTime'), receipt.files_at ? exactly(receipt.files_at) : null, 'num'],
          [t('receipt.number'), receipt.no, 'mono'],
        ]}
      />
    </Card>
  );
}
