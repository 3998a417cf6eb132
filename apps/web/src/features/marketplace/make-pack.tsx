import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Plus } from 'lucide-react';
import { newId } from '@cairn/base/id.ts';
import { withVariableTexts } from '@cairn/core/marketplace/pack-writing.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import { ContentsPicker, isEmpty, NOTHING } from './contents-picker.tsx';
import { FactFields } from './fact-fields.tsx';
import { NO_FACTS, sentFacts } from './pack-facts.ts';
import { contentsPicked, saveVersion } from './save-version.ts';
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

function MakeSheet({ onClose, onBegun }: { onClose: () => void; onBegun: (packId: string) => void }) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const [ids] = useState(() => ({ pack: newId(), version: newId() }));
  const [facts, setFacts] = useState(NO_FACTS);
  const [picked, setPicked] = useState(NOTHING);
  const [isTried, setTried] = useState(false);
  const make = useCallback(
    async (calls: ServerCalls) => {
      const organizationId = organization.id;
      await calls.call('save_pack', { p_id: ids.pack, p_organization: organizationId, p_facts: sentFacts(facts) });
      const version = { id: ids.version, packId: ids.pack, number: '1.0.0', changelog: '' };
      await saveVersion(calls, version, withVariableTexts(await contentsPicked(calls, organizationId, picked)));
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
