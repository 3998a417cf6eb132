import { useState } from 'react';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { giveGrant, revokeGrant, type Grant } from '@cairn/core/support-circle/grants.ts';
import type { CirclePage } from '@cairn/core/support-circle/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { DateInput } from '@cairn/ui/controls/date-input.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useCircleLabels } from './circle-labels.ts';
import { GrantChoice, type WantedGrant } from './grant-choice.tsx';

const itemsOf = ({ item_ids: ids }: Grant): number => (Array.isArray(ids) ? ids.length : 0);
const isOver = ({ valid_until: until }: Grant, now: number): boolean => until !== null && Date.parse(until) <= now;

/** What a helper may see, each taken back by one tap; more is given by the person alone. */
export function GrantsCard({ page: { relationship, grants }, other }: { page: CirclePage; other: string }) {
  const { t } = useTranslation('circle');
  const words = useCircleLabels();
  const store = useStore();
  const [giving, setGiving] = useState(false);
  const revoking = useAction((id: string) =>
    store.write('support-circle.revoke', tx => revokeGrant(tx, id, new Date().toISOString())),
  );
  const now = useNow().getTime();
  const open = grants.filter(grant => !isOver(grant, now));
  return (
    <Card label={t('grant.title', { name: other })} className="parts">
      <h2 className="h2">{t('grant.title', { name: other })}</h2>
      {open.length === 0 && <p className="muted sm">{t('sees.nothing')}</p>}
      <ul className="circle-grants">
        {open.map(grant => {
          const what = words.sees({ ...grant, items: itemsOf(grant), until: grant.valid_until });
          return (
            <li key={grant.id}>
              <span className="grow">{what}</span>
              <Button size="sm" onClick={() => revoking.run(grant.id)} aria-label={t('grant.revokeOf', { what })}>
                {t('grant.revoke')}
              </Button>
            </li>
          );
        })}
      </ul>
      <FailureLine failure={revoking.failure} />
      <div>
        <Button icon={Plus} onClick={() => setGiving(true)}>
          {t('grant.more')}
        </Button>
      </div>
      {giving && <GiveSheet relationship={relationship} onClose={() => setGiving(false)} />}
    </Card>
  );
}

function GiveSheet({ relationship, onClose }: { relationship: CirclePage['relationship']; onClose: () => void }) {
  const { t, i18n } = useTranslation('circle');
  const store = useStore();
  const { user } = useSignedIn();
  const [wanted, setWanted] = useState<WantedGrant[]>([]);
  const [until, setUntil] = useState<string | null>(null);
  const saving = useAction(async () => {
    const end = until === null ? null : new Date(`${until}T23:59:59.999`).toISOString();
    const at = new Date().toISOString();
    await store.write('support-circle.grant', async tx => {
      for (const each of wanted) {
        const grant = { id: newId(), relationshipId: relationship.id, by: user.id, ...each };
        await giveGrant(tx, { ...grant, until: end, at });
      }
    });
    onClose();
  });
  const today = useToday();
  const isPast = until !== null && until < today;
  return (
    <FormSheet
      title={t('grant.more')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('grant.give')}
      busy={saving.busy}
      disabled={wanted.length === 0 || isPast}
      onSave={() => saving.run()}
    >
      <GrantChoice role={relationship.role} wanted={wanted} onChange={setWanted} />
      <DateInput
        label={t('grant.until')}
        hint={t('grant.untilHint')}
        value={until}
        locale={i18n.language}
        onChange={setUntil}
        error={isPast ? t('grant.past') : undefined}
      />
      <FailureLine failure={saving.failure} />
    </FormSheet>
  );
}
