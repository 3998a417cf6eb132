import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import type { Acknowledgement } from '@cairn/core/policies/policy-status.ts';
import { versionNumber, type PolicyVersion } from '@cairn/core/policies/version-states.ts';
import { askToCountersign } from '@cairn/core/support-circle/countersign.ts';
import type { Relationship } from '@cairn/core/support-circle/grants.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { RadioCards } from '@cairn/ui/controls/choice.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useSavedToast } from '../../shared/sync/use-saved-toast.ts';
import type { CountersignPorts } from './countersign-ports.ts';
import './support-circle.css';

type Props = Pick<CountersignPorts, 'renderWords'> & {
  version: PolicyVersion;
  acknowledgement: Acknowledgement;
  partners: readonly Relationship[];
  onClose: () => void;
};

/** Asks one partner, after showing exactly what they will see. */
export function CountersignSheet({ version, acknowledgement, partners, renderWords, onClose }: Props) {
  const { t } = useTranslation('countersign');
  const { formatInstant } = useFormat();
  const store = useStore();
  const savedToast = useSavedToast('consent_grants');
  const { user } = useSignedIn();
  const [chosen, setChosen] = useState(partners.length === 1 ? (partners[0]?.id ?? null) : null);
  const nameOf = ({ helper_name: name }: Relationship) => name ?? t('unnamed');
  const partner = partners.find(({ id }) => id === chosen);
  const asking = useAction(async (relationshipId: string) => {
    const ask = { id: newId(), relationshipId, versionId: version.id, by: user.id, at: new Date().toISOString() };
    await store.write('support-circle.askToCountersign', tx => askToCountersign(tx, ask));
    savedToast(ask.id, { waits: t('asked'), received: t('askedReceived') });
    onClose();
  });
  return (
    <FormSheet
      title={t('ask')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={partner ? t('askName', { name: nameOf(partner) }) : t('ask')}
      busy={asking.busy}
      disabled={chosen === null}
      onSave={() => chosen !== null && asking.run(chosen)}
    >
      <RadioCards
        label={t('whom')}
        options={partners.map(each => ({ value: each.id, label: nameOf(each) }))}
        value={chosen}
        onChange={setChosen}
      />
      <section className="parts circle-preview" aria-label={t('preview')}>
        <h3 className="h3">{t('preview')}</h3>
        <p className="strong">
          {version.title} · {t('version', { number: versionNumber(version) ?? '–' })}
        </p>
        {renderWords(version.body)}
        <p className="sm">
          {t('committed', {
            name: acknowledgement.signed_name ?? '',
            when: acknowledgement.decided_at === null ? '–' : formatInstant(new Date(acknowledgement.decided_at)),
          })}
        </p>
      </section>
      <p className="sm muted">{t('nothingElse')}</p>
      <FailureLine failure={asking.failure} />
    </FormSheet>
  );
}
