import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ClipboardCheck, ListTodo, ScrollText, Star } from 'lucide-react';
import type { Pack } from '@cairn/core/marketplace/pack.ts';
import { installedDocuments, type InstalledDocument } from '@cairn/core/marketplace/pack-update.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import type { PackLinks } from './pack-links.ts';
import { useMarketAct, useOwnReview, type Install } from './use-market.ts';

const ICONS = { policy: ScrollText, form: ClipboardCheck, task: ListTodo } as const;

type Props = { pack: Pack; install: Install; mayRate: boolean } & Pick<PackLinks, 'renderDocument' | 'renderUpdate'>;

/** What an organisation has of a pack: each document's draft, what is new, and its own word on it. */
export function InstalledCard({ pack, install, mayRate, renderDocument, renderUpdate }: Props) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const live = useLive(installedDocuments(organization.id, pack.id));
  const isBehind = pack.current_version_id !== null && pack.current_version_id !== install.version_id;
  return (
    <>
      {isBehind && mayRate && (
        <Banner
          tone="accent"
          title={t('update.there', { number: pack.current_number })}
          action={renderUpdate(t('update.open'))}
        >
          {t('update.thereText')}
        </Banner>
      )}
      <Card flush label={t('installed.title')}>
        <CardHead title={t('installed.title')} aside={<span className="sm muted">{t('installed.drafts')}</span>} />
        {live.status === 'loading' ? (
          <SkeletonRows label={t('loading')} rows={3} />
        ) : (
          <List label={t('installed.title')}>
            {live.answer.map(document => (
              <li key={document.item.id}>{renderDocument(document.item, <Face document={document} />)}</li>
            ))}
          </List>
        )}
      </Card>
      {mayRate && pack.organization_id !== organization.id && <Rating packId={pack.id} />}
    </>
  );
}

function Face({ document: { item, policy } }: { document: InstalledDocument }) {
  const { t } = useTranslation('marketplace');
  return (
    <RowFace
      start={
        <RowIcon>
          <Icon of={ICONS[item.kind]} />
        </RowIcon>
      }
      title={policy?.title ?? t(`installed.${item.kind}`, { key: item.item_key })}
      detail={[t(`kinds.${item.kind}`), t('version', { number: item.pack_number })].join(' · ')}
    />
  );
}

function Rating({ packId }: { packId: string }) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const own = useOwnReview(organization.id, packId).data?.[0]?.stars ?? 0;
  const rate = useCallback(
    (calls: ServerCalls, stars: number) =>
      calls.call('rate_pack', { p_organization: organization.id, p_pack: packId, p_stars: stars }),
    [organization.id, packId],
  );
  const rating = useMarketAct(rate);
  return (
    <Card label={t('rate.title')}>
      <div className="stack market-stack">
        <h2 className="h2">{t('rate.title')}</h2>
        <p className="sm muted">{t('rate.text')}</p>
        <fieldset className="row wrap market-stars">
          <legend className="sr">{t('rate.title')}</legend>
          {[1, 2, 3, 4, 5].map(stars => (
            <IconButton
              key={stars}
              label={t('rate.stars', { count: stars })}
              icon={Star}
              aria-pressed={stars <= own}
              className={stars <= own ? 'market-star' : ''}
              disabled={rating.busy}
              onClick={() => void rating.run(stars)}
            />
          ))}
        </fieldset>
        {rating.problem && <Banner tone="bad" title={rating.problem} />}
      </div>
    </Card>
  );
}
