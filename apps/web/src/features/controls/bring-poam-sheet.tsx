import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_POAM_CHARS, readPoam, type PoamResult } from '@cairn/core/controls/poam-file.ts';
import { knownOf } from '@cairn/core/controls/poam-list.ts';
import { linkPoamControls, takePoam } from '@cairn/core/controls/take-poam.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { FileDrop } from '@cairn/ui/controls/file-drop.tsx';
import { Card, List, Row } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { textOfFile } from '../../shared/files/unless-stalled.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { LocatedList } from './located-list.tsx';

type ReadPoam = Extract<PoamResult, { ok: true }>;

/** Reads a plan of action and milestones, shows what would come of it and where it is wrong, and takes it over. */
export function BringPoamSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('controls');
  const [read, setRead] = useState<PoamResult | null>(null);
  const taking = useTaking(onClose);
  const reading = useAction(async (file: File) => setRead(readPoam(await textOfFile(file))));
  const good = read?.ok ? read : null;
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('poam.bring.title')}
      closeLabel={t('close')}
      actions={
        good && (
          <Button variant="primary" busy={taking.busy} onClick={() => taking.run(good)}>
            {t('poam.bring.take')}
          </Button>
        )
      }
    >
      <div className="parts foot-room controls">
        <FileDrop
          label={t('bring.pick')}
          hint={t('poam.bring.hint')}
          accept=".json,application/json"
          maxBytes={4 * MAX_POAM_CHARS}
          multiple={false}
          onFiles={([file]) => file && reading.run(file)}
          onRefused={([first]) =>
            setRead({
              ok: false,
              problems: [{ at: '', code: first?.reason === 'size' ? 'too_large' : 'not_oscal' }],
            })
          }
        />
        {read && !read.ok && (
          <Banner tone="bad" title={t('poam.bring.refused')}>
            <LocatedList found={read.problems} words={code => t(`poam.problem.${code}`)} />
          </Banner>
        )}
        {good && <Preview key={good.plan.sourceId} read={good} />}
        <FailureLine failure={reading.failure ?? taking.failure} />
      </div>
    </Sheet>
  );
}

/** What would come of the file: its items, what is here already, what is done otherwise. */
function Preview({ read: { plan, document, notes } }: { read: ReadPoam }) {
  const { t } = useTranslation('controls');
  const { t: words } = useTranslation('actions');
  const { formatDate } = useFormat();
  const { organization } = useSpace();
  const live = useLive(knownOf(organization.id, plan, document));
  const { added, known } = live.status === 'ready' ? live.answer : { added: plan.entries.length, known: 0 };
  const detailOf = (entry: ReadPoam['plan']['entries'][number]) =>
    [
      words(`priority.${entry.priority}`),
      entry.dueAt && words('row.due', { when: formatDate(new Date(entry.dueAt)) }),
      entry.controls.join(', '),
    ]
      .filter(Boolean)
      .join(' · ');
  return (
    <>
      <Banner tone="good" title={plan.title}>
        {[t('poam.bring.added', { count: added }), known > 0 && t('poam.bring.known', { count: known })]
          .filter(Boolean)
          .join(' · ')}
      </Banner>
      {notes.length > 0 && (
        <Banner tone="info" title={t('poam.bring.notes')}>
          <LocatedList found={notes} words={code => t(`poam.note.${code}`)} />
        </Banner>
      )}
      <Card flush>
        <List label={t('poam.items')}>
          {plan.entries.map(entry => (
            <Row key={entry.uuid} title={entry.title} detail={detailOf(entry)} />
          ))}
        </List>
      </Card>
    </>
  );
}

function useTaking(onDone: () => void) {
  const { t } = useTranslation('controls');
  const { organization, playbook, userId: by } = useSpace();
  const store = useStore();
  return useAction(async ({ plan, document }: ReadPoam) => {
    const whole = { organizationId: organization.id, playbookId: playbook?.id ?? null, plan, document, by };
    const { poamId, left } = await store.write('controls.takePoam', tx => takePoam(tx, whole), { together: true });
    await store.write('controls.linkPoam', tx => linkPoamControls(tx, poamId));
    const rest = left > 0 ? t('poam.bring.left', { count: left }) : undefined;
    toast({ title: t('poam.bring.done', { title: plan.title }), ...(rest && { description: rest }) });
    onDone();
  });
}
