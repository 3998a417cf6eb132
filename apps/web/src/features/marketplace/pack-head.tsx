import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { stars, type Pack, type PackVersion } from '@cairn/core/marketplace/pack.ts';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useLanguageNames } from './marketplace-screen.tsx';

type Props = { pack: Pack; version: PackVersion; acts: ReactNode };

/** What a pack is: name, whose, for whom, under which licence. */
export function PackHead({ pack, version, acts }: Props) {
  const { t } = useTranslation('marketplace');
  const { formatDay, formatNumber } = useFormat();
  const { formatLanguage } = useLanguageNames();
  const rating = stars(pack);
  const facts: [string, string][] = [
    [t('fact.publisher'), pack.publisher],
    [
      t('fact.version'),
      version.listed_at
        ? t('fact.since', { number: version.number, day: formatDay(new Date(version.listed_at)) })
        : version.number,
    ],
    [t('fact.licence'), t(`licence.${licenceKey(pack.licence)}`)],
    [t('fact.language'), formatLanguage(pack.locale)],
    [t('fact.industry'), t(`industry.${pack.industry}`)],
    [t('fact.frameworks'), pack.frameworks.join(', ') || t('fact.none')],
    [
      t('fact.rating'),
      rating === null
        ? t('fact.unrated')
        : t('fact.rated', { stars: formatNumber(rating, 1), count: pack.rating_count }),
    ],
    [t('fact.used'), pack.linked_playbooks === 0 ? t('fact.unused') : t('playbooks', { count: pack.linked_playbooks })],
  ];
  return (
    <header className="stack market-stack market-head">
      <div className="row wrap">
        <Pill tone={pack.kind === 'growth' ? 'good' : 'info'}>{t(`kind.${pack.kind}`)}</Pill>
        {pack.status !== 'active' && <Pill>{t(`status.${pack.status}`)}</Pill>}
        {version.state !== 'listed' && <Pill tone="line">{t(`state.${version.state}`)}</Pill>}
      </div>
      <h1 className="h1">{pack.name}</h1>
      <p>{pack.summary}</p>
      {acts}
      <Card label={t('fact.label')} className="parts">
        <Facts look="under" facts={facts} />
        {pack.attribution && <p className="sm muted">{t('fact.attribution', { text: pack.attribution })}</p>}
      </Card>
      {version.changelog && <p className="sm">{t('fact.changelog', { text: version.changelog })}</p>}
    </header>
  );
}

/** A licence as a key of texts, which hold no dots. */
export const licenceKey = (licence: Pack['licence']) =>
  licence.replaceAll('.', '-') as
    | 'CC0-1-0'
    | 'CC-BY-4-0'
    | 'CC-BY-SA-4-0'
    | 'MIT'
    | 'Apache-2-0'
    | 'all-rights-reserved';
