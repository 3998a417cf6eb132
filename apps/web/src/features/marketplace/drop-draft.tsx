import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PackVersion } from '@cairn/core/marketplace/pack.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { forgetLocalDraft } from './draft-store.ts';
import { useMarketAct } from './use-market.ts';

type Props = {
  version: PackVersion;
  /** The pack has no other version, and goes with it. */
  isOnly: boolean;
  onGone: () => void;
};

/** Throws away a draft that shall not go on, asked for first. */
export function DropDraft({ version, isOnly, onGone }: Props) {
  const { t } = useTranslation('marketplace');
  const [asking, setAsking] = useState(false);
  const { id, number } = version;
  const drop = useCallback((calls: ServerCalls) => calls.call('drop_pack_draft', { p_version: id }), [id]);
  const dropping = useMarketAct(drop);
  const { unfinished } = useSignedIn().engine;
  const { organization } = useSpace();
  const press = async () => {
    if (!(await dropping.run())) return;
    // What was typed of it and not saved goes with it.
    await forgetLocalDraft(unfinished, { organizationId: organization.id, packId: version.pack_id });
    toast({ title: t('drop.done', { number }) });
    if (isOnly) onGone();
  };
  return (
    <>
      <Button variant="plain" busy={dropping.busy} onClick={() => setAsking(true)}>
        {t('drop.act')}
      </Button>
      {dropping.problem && <Banner tone="bad" title={dropping.problem} />}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('drop.title', { number })}
        confirmLabel={t('drop.act')}
        cancelLabel={t('drop.cancel')}
        onConfirm={() => void press()}
        danger
      >
        {t(isOnly ? 'drop.textPack' : 'drop.text')}
      </Confirm>
    </>
  );
}
