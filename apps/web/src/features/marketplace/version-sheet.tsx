import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { nextNumber, type PackVersion } from '@cairn/core/marketplace/pack.ts';
import { readContents } from '@cairn/core/marketplace/pack-contents.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { Button } from '@cairn/ui/button.tsx';
import { Sheet } from '@cairn/ui/dialog.tsx';
import { Input, Textarea } from '@cairn/ui/field.tsx';
import { toast } from '@cairn/ui/toast.ts';
import type { ServerCalls } from '../../shared/server-calls.ts';
import { useSpace } from '../../shared/space.ts';
import { ContentsPicker, isEmpty, NOTHING, type Picked } from './contents-picker.tsx';
import { saveVersion } from './save-version.ts';
import { useMarketAct } from './use-market.ts';

type Props = { packId: string; draft: PackVersion | null; last: string | null; onClose: () => void };

/** The contents a draft has already: they stay unless others are picked. */
function drafted(draft: PackVersion | null): Picked {
  const read = draft && readContents(draft.contents);
  return read?.ok ? { ...NOTHING, file: read.contents } : NOTHING;
}

/** Writes the version that is being made: its number, what is new, what is in it. */
export function VersionSheet({ packId, draft, last, onClose }: Props) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const [id] = useState(() => draft?.id ?? newId());
  const [number, setNumber] = useState(draft?.number ?? nextNumber(last));
  const [changelog, setChangelog] = useState(draft?.changelog ?? '');
  const [picked, setPicked] = useState(() => drafted(draft));
  const [isTried, setTried] = useState(false);
  const save = useCallback(
    (calls: ServerCalls) =>
      saveVersion(calls, { id, packId, organizationId: organization.id, number, changelog }, picked),
    [id, packId, organization.id, number, changelog, picked],
  );
  const saving = useMarketAct(save);
  const keep = async () => {
    setTried(true);
    if (isEmpty(picked) || !(await saving.run())) return;
    toast({ title: t('desk.kept') });
    onClose();
  };
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t(draft ? 'desk.edit' : 'desk.next')}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" busy={saving.busy} onClick={() => void keep()}>
          {t('desk.keep')}
        </Button>
      }
    >
      <div className="stack market-stack">
        <Input
          label={t('desk.number')}
          hint={t('desk.numberHint')}
          value={number}
          onChange={event => setNumber(event.target.value)}
        />
        <Textarea
          label={t('desk.changelog')}
          maxLength={2000}
          value={changelog}
          onChange={event => setChangelog(event.target.value)}
        />
        <ContentsPicker picked={picked} onPick={setPicked} />
        {isTried && isEmpty(picked) && <Banner tone="bad" title={t('desk.needContents')} />}
        {saving.problem && <Banner tone="bad" title={saving.problem} />}
      </div>
    </Sheet>
  );
}
