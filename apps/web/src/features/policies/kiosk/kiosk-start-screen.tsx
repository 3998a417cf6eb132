import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { policyFileOf } from '@cairn/core/policies/policy-file.ts';
import { places, policyEntries } from '@cairn/core/policies/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { kioskMemory } from './kiosk-memory.ts';
import './kiosk.css';

type Props = { backLink: ReactNode; hasPassword: () => Promise<boolean> };

/** What a kiosk is about; from its beginning on this device shows nothing else. */
export function KioskStartScreen({ backLink, hasPassword }: Props) {
  const { t } = useTranslation('kiosk');
  const { may, world } = useSpace();
  const [opens, setOpens] = useState(true);
  useEffect(() => void hasPassword().then(setOpens), [hasPassword]);
  if (world !== 'company' || !may('policy.witness'))
    return (
      <EmptyState level={1} title={t('notHere')} action={backLink}>
        {t('notHereText')}
      </EmptyState>
    );
  return (
    <div className="parts foot-room kiosk-start">
      {backLink}
      <div className="stack">
        <h1 className="h1">{t('title')}</h1>
        <p className="muted">{t('text')}</p>
      </div>
      {!opens && <Banner tone="warn" title={t('noPassword')} />}
      <Card>
        <StartForm />
      </Card>
      <p className="sm muted">{t('members')}</p>
    </div>
  );
}

function StartForm() {
  const { t } = useTranslation('kiosk');
  const { organization, userId } = useSpace();
  const entries = useLive(policyEntries({ organizationId: organization.id, userId }));
  const known = useLive(places(organization.id));
  const [chosen, setChosen] = useState({ policyId: '', placeId: '' });
  const [tried, setTried] = useState(false);
  const inForce = entries.status === 'ready' ? entries.answer.filter(({ policy }) => policy.state === 'published') : [];
  const groups = known.status === 'ready' ? [...known.answer.sites, ...known.answer.teams] : [];
  if (entries.status === 'ready' && inForce.length === 0) return <p>{t('none')}</p>;
  const current = inForce.find(({ policy }) => policy.id === chosen.policyId)?.current;
  const isFile = current ? policyFileOf(current) !== null : false;
  const begin = () => {
    const { policyId, placeId } = chosen;
    const serverState = { answered: [], pins: [] };
    kioskMemory(userId).keep({ organizationId: organization.id, policyId, placeId: placeId || null, serverState });
  };
  return (
    <form
      className="parts"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (chosen.policyId !== '' && !isFile) begin();
      }}
    >
      <Select
        label={t('policy')}
        placeholder={t('choose')}
        choices={inForce.map(({ policy }) => ({ value: policy.id, label: policy.title }))}
        value={chosen.policyId}
        error={isFile ? t('fileNeeded') : tried && chosen.policyId === '' ? t('policyNeeded') : undefined}
        onChange={event => setChosen({ ...chosen, policyId: event.target.value })}
      />
      <Select
        label={t('place')}
        placeholder={t('everywhere')}
        choices={groups.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen.placeId}
        onChange={event => setChosen({ ...chosen, placeId: event.target.value })}
      />
      <Button type="submit" variant="primary" size="lg" block>
        {t('begin')}
      </Button>
    </form>
  );
}
