import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import type { OpenedPoam } from '@cairn/core/controls/poam-list.ts';
import { putPoamAway } from '@cairn/core/controls/take-poam.ts';
import { writtenPoam } from '@cairn/core/controls/write-poam.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Card, List, Row, RowFace } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { ActionChip } from './action-chip.tsx';
import { savePoam } from './save-poam.ts';

type Props = { opened: OpenedPoam; renderAction: (id: string, face: ReactNode) => ReactNode; onClose: () => void };

/** One plan: its items as action items, the file as things stand now, and the way to take it away. */
export function PoamSheet({ opened: { poam, items, ended }, renderAction, onClose }: Props) {
  const { t } = useTranslation('controls');
  const { t: words } = useTranslation('actions');
  const { formatDate } = useFormat();
  const store = useStore();
  const writing = useAction(async () => {
    const at = new Date().toISOString();
    const plan = await store.read(writtenPoam(poam.id, at));
    if (!plan) throw new Failure('not_found', `poam ${poam.id}`);
    savePoam(plan, poam.title, at);
  });
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={poam.title}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" busy={writing.busy} onClick={() => writing.run()}>
          {t('poam.export')}
        </Button>
      }
    >
      <div className="parts foot-room controls">
        <p className="muted">{t('poam.rate', { done: ended, all: items.length })}</p>
        <Card flush>
          <List label={t('poam.items')}>
            {items.map(({ uuid, title, action }) =>
              action ? (
                <li key={uuid}>
                  {renderAction(
                    action.id,
                    <RowFace
                      title={title}
                      detail={action.due_at && words('row.due', { when: formatDate(new Date(action.due_at)) })}
                      end={<ActionChip status={action.status} />}
                    />,
                  )}
                </li>
              ) : (
                <Row key={uuid} title={title} detail={t('poam.notHere')} />
              ),
            )}
          </List>
        </Card>
        <FailureLine failure={writing.failure} />
        <PutAway id={poam.id} onAway={onClose} />
      </div>
    </Sheet>
  );
}

function PutAway({ id, onAway }: { id: string; onAway: () => void }) {
  const { t } = useTranslation('controls');
  const { may } = useSpace();
  const store = useStore();
  const [asking, setAsking] = useState(false);
  const putting = useAction(async () => {
    await store.write('controls.putPoamAway', tx => putPoamAway(tx, id));
    toast({ title: t('poam.away.done') });
    onAway();
  });
  if (!may('control.manage')) return null;
  return (
    <>
      <Button variant="plain" busy={putting.busy} onClick={() => setAsking(true)}>
        {t('poam.away.act')}
      </Button>
      <FailureLine failure={putting.failure} />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('poam.away.title')}
        confirmLabel={t('poam.away.act')}
        cancelLabel={t('remove.cancel')}
        onConfirm={() => putting.run()}
      >
        {t('poam.away.text')}
      </Confirm>
    </>
  );
}
