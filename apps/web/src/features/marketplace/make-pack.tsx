import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Plus } from 'lucide-react';
import { newId } from '@cairn/base/id.ts';
import { INDUSTRIES, LICENCES } from '@cairn/core/marketplace/pack.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { Button } from '@cairn/ui/button.tsx';
import { Switch } from '@cairn/ui/choice.tsx';
import { Sheet } from '@cairn/ui/dialog.tsx';
import { Input, Select, Textarea } from '@cairn/ui/field.tsx';
import { toast } from '@cairn/ui/toast.ts';
import type { ServerCalls } from '../../shared/server-calls.ts';
import { useSpace } from '../../shared/space.ts';
import { ContentsPicker, isEmpty, NOTHING } from './contents-picker.tsx';
import { useLanguageNames } from './marketplace-screen.tsx';
import { licenceKey } from './pack-head.tsx';
import { saveVersion } from './save-version.ts';
import { useMarketAct } from './use-market.ts';

/** The button that begins a pack, and its sheet. */
export function MakePack({ onBegun }: { onBegun: (packId: string) => void }) {
  const { t } = useTranslation('marketplace');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={Plus} onClick={() => setOpen(true)}>
        {t('desk.make')}
      </Button>
      {isOpen && <MakeSheet onClose={() => setOpen(false)} onBegun={onBegun} />}
    </>
  );
}

const EMPTY = {
  name: '',
  summary: '',
  kind: 'compliance',
  licence: 'CC-BY-4.0',
  locale: 'en',
  industry: 'any',
  frameworks: '',
  is_template: true,
};
type Facts = typeof EMPTY;

const sent = (facts: Facts) => ({
  ...facts,
  name: facts.name.trim(),
  frameworks: facts.frameworks
    .split(',')
    .map(name => name.trim())
    .filter(Boolean),
});

function MakeSheet({ onClose, onBegun }: { onClose: () => void; onBegun: (packId: string) => void }) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const [ids] = useState(() => ({ pack: newId(), version: newId() }));
  const [facts, setFacts] = useState<Facts>(EMPTY);
  const [picked, setPicked] = useState(NOTHING);
  const [isTried, setTried] = useState(false);
  const make = useCallback(
    async (calls: ServerCalls) => {
      const organizationId = organization.id;
      await calls.call('save_pack', { p_id: ids.pack, p_organization: organizationId, p_facts: sent(facts) });
      const version = { id: ids.version, packId: ids.pack, organizationId, number: '1.0.0', changelog: '' };
      await saveVersion(calls, version, picked);
    },
    [organization.id, ids, facts, picked],
  );
  const making = useMarketAct(make);
  const isNamed = facts.name.trim() !== '';
  const begin = async () => {
    setTried(true);
    if (!isNamed || isEmpty(picked) || !(await making.run())) return;
    toast({ title: t('desk.begun', { name: facts.name.trim() }) });
    onBegun(ids.pack);
  };
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('desk.make')}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" busy={making.busy} onClick={() => void begin()}>
          {t('desk.begin')}
        </Button>
      }
    >
      <div className="stack market-stack">
        <FactFields facts={facts} error={isTried && !isNamed ? t('desk.needName') : undefined} onChange={setFacts} />
        <ContentsPicker picked={picked} onPick={setPicked} />
        {isTried && isEmpty(picked) && <Banner tone="bad" title={t('desk.needContents')} />}
        {making.problem && <Banner tone="bad" title={making.problem} />}
      </div>
    </Sheet>
  );
}

type FieldsProps = { facts: Facts; error: string | undefined; onChange: (facts: Facts) => void };

function FactFields({ facts, error, onChange }: FieldsProps) {
  const { t } = useTranslation('marketplace');
  const { formatLanguage } = useLanguageNames();
  const set = (part: Partial<Facts>) => onChange({ ...facts, ...part });
  const choices = {
    kind: (['compliance', 'growth'] as const).map(value => ({ value, label: t(`kind.${value}`) })),
    licence: LICENCES.map(value => ({ value, label: t(`licence.${licenceKey(value)}`) })),
    locale: ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt'].map(value => ({ value, label: formatLanguage(value) })),
    industry: INDUSTRIES.map(value => ({ value, label: t(`industry.${value}`) })),
  };
  const labels = {
    kind: 'desk.kind',
    licence: 'desk.licence',
    locale: 'desk.language',
    industry: 'desk.industry',
  } as const;
  return (
    <>
      <Input
        label={t('desk.name')}
        maxLength={120}
        value={facts.name}
        error={error}
        onChange={event => set({ name: event.target.value })}
      />
      <Textarea
        label={t('desk.summary')}
        maxLength={600}
        value={facts.summary}
        onChange={event => set({ summary: event.target.value })}
      />
      {(['kind', 'licence', 'locale', 'industry'] as const).map(name => (
        <Select
          key={name}
          label={t(labels[name])}
          choices={choices[name]}
          value={facts[name]}
          onChange={event => set({ [name]: event.target.value })}
        />
      ))}
      <Input
        label={t('desk.frameworks')}
        hint={t('desk.frameworksHint')}
        value={facts.frameworks}
        onChange={event => set({ frameworks: event.target.value })}
      />
      <Switch label={t('desk.template')} checked={facts.is_template} onChange={on => set({ is_template: on })} />
    </>
  );
}
