import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { poamList, type OpenedPoam } from '@cairn/core/controls/poam-list.ts';
import { actionItemsAsPoam } from '@cairn/core/controls/write-poam.ts';
import { Failure } from '@cairn/base/failure.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Card, CardHead, List, RowFace, rowClass } from '@cairn/ui/layout/surface.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { BringPoamSheet } from './bring-poam-sheet.tsx';
import { PoamSheet } from './poam-sheet.tsx';
import { savePoam } from './save-poam.ts';

type Props = { renderAction: (id: string, face: ReactNode) => ReactNode };

/** The plans of action an organisation follows: brought in, opened, and written again. */
export function PoamsCard({ renderAction }: Props) {
  const { t } = useTranslation('controls');
  const { organization, may } = useSpace();
  const live = useLive(poamList(organization.id));
  const [sheet, setSheet] = useState<string | null>(null);
  const rows = live.status === 'ready' ? live.answer : [];
  const opened = rows.find(({ poam }) => poam.id === sheet);
  const exporting = useOwnPlan();
  return (
    <Card flush className="controls-poams">
      <CardHead
        title={t('poam.title')}
        aside={
          may('control.manage') && (
            <Button size="sm" onClick={() => setSheet('bring')}>
              {t('poam.bring.act')}
            </Button>
          )
        }
      />
      {live.status === 'ready' && rows.length === 0 && <p className="muted controls-none">{t('poam.none')}</p>}
      {rows.length > 0 && (
        <List label={t('poam.title')}>
          {rows.map(each => (
            <li key={each.poam.id}>
              <button type="button" className={rowClass} onClick={() => setSheet(each.poam.id)}>
                <Face opened={each} />
              </button>
            </li>
          ))}
        </List>
      )}
      <div className="controls-foot">
        <Button size="sm" variant="plain" busy={exporting.busy} onClick={() => exporting.run()}>
          {t('poam.own.act')}
        </Button>
        <span className="muted sm">{t('poam.own.text')}</span>
        <FailureLine failure={exporting.failure} invalid={t('poam.own.none')} />
      </div>
      {sheet === 'bring' && <BringPoamSheet onClose={() => setSheet(null)} />}
      {opened && <PoamSheet opened={opened} renderAction={renderAction} onClose={() => setSheet(null)} />}
    </Card>
  );
}

function Face({ opened: { poam, items, ended } }: { opened: OpenedPoam }) {
  const { t } = useTranslation('controls');
  const edition = poam.edition && t('edition', { edition: poam.edition });
  return (
    <RowFace
      title={poam.title}
      detail={[edition, t('poam.rate', { done: ended, all: items.length })].filter(Boolean).join(' · ')}
    />
  );
}

/** Every action item that came from no plan, as a plan of its own. */
function useOwnPlan() {
  const { t } = useTranslation('controls');
  const { organization } = useSpace();
  const store = useStore();
  return useAction(async () => {
    const title = t('poam.own.title', { name: organization.name });
    const at = new Date().toISOString();
    const plan = await store.read(actionItemsAsPoam({ organizationId: organization.id, title, at }));
    if (!plan) throw new Failure('invalid', 'ownPlan: no action items');
    savePoam(plan, title, at);
  });
}
