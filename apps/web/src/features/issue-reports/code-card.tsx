import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReportPlaces } from '@cairn/core/issue-reports/report-places.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import {
  pauseCode,
  revokeCode,
  rotateCode,
  useCodeAction,
  type MadeCode,
  type ReportCode,
} from './use-report-codes.ts';

/** The name of the place a code is for; null for the organisation. */
export function placeOfCode(
  { site_id: siteId, asset_id: assetId }: Pick<ReportCode, 'site_id' | 'asset_id'>,
  { sites, assets }: ReportPlaces,
): string | null {
  const asset = assets.find(({ id }) => id === assetId);
  const site = sites.find(({ id }) => id === (siteId ?? asset?.site_id));
  const names = [asset?.name, site?.name].filter(name => name !== undefined);
  return names.length > 0 ? names.join(' · ') : null;
}

type Props = { code: ReportCode; places: ReportPlaces; onPrint: (code: ReportCode, made: MadeCode) => void };

/** One code: where it hangs, what came by it, and what can be done with it. */
export function CodeCard({ code, places, onPrint }: Props) {
  const { t } = useTranslation('issueReports');
  const { formatInstant } = useFormat();
  const { organization, may } = useSpace();
  const name = placeOfCode(code, places) ?? organization.name;
  const last = code.last_report_at;
  return (
    <Card className="stack" label={name}>
      <div className="row wrap between">
        <h2 className="h2">{name}</h2>
        <StatusChip state={code.paused_at === null ? 'done' : 'waiting'}>
          {t(code.paused_at === null ? 'codes.open' : 'codes.paused')}
        </StatusChip>
      </div>
      {code.spot !== null && <p>{code.spot}</p>}
      <p className="sm muted">
        {[
          t('codes.count', { count: code.reports }),
          last === null ? t('codes.never') : t('codes.last', { when: formatInstant(new Date(last)) }),
        ].join(' · ')}
      </p>
      {code.paused_because === 'flood' && (
        <Banner tone="warn" title={t('codes.flooded')}>
          {t('codes.floodedText')}
        </Banner>
      )}
      {may('issue.code') && <Acts code={code} name={name} onPrint={onPrint} />}
    </Card>
  );
}

function Acts({ code, name, onPrint }: Pick<Props, 'code' | 'onPrint'> & { name: string }) {
  const { t } = useTranslation('issueReports');
  const rotating = useCodeAction(rotateCode);
  const pausing = useCodeAction(pauseCode);
  const revoking = useCodeAction(revokeCode);
  const [asked, setAsked] = useState<'rotate' | 'revoke' | null>(null);
  const problem = rotating.problem ?? pausing.problem ?? revoking.problem;
  const busy = rotating.busy || pausing.busy || revoking.busy;
  const isPaused = code.paused_at !== null;
  const act = async () => {
    setAsked(null);
    if (asked === 'revoke') return revoking.run(code.id);
    const made = await rotating.run(code.id);
    if (made) onPrint(code, made);
    return made;
  };
  return (
    <>
      {problem && <Banner tone="bad" title={t(`codes.problem.${problem}`)} />}
      <div className="row wrap">
        <Button busy={busy} onClick={() => void pausing.run(code.id, !isPaused)}>
          {t(isPaused ? 'codes.resume' : 'codes.pause')}
        </Button>
        <Button busy={busy} onClick={() => setAsked('rotate')}>
          {t('codes.rotate')}
        </Button>
        <Button variant="danger-quiet" busy={busy} onClick={() => setAsked('revoke')}>
          {t('codes.revoke')}
        </Button>
      </div>
      {asked && (
        <Dialog
          open
          onOpenChange={open => !open && setAsked(null)}
          title={t(`codes.ask.${asked}`, { name })}
          description={t(`codes.ask.${asked}Text`)}
          closeLabel={t('codes.close')}
          actions={
            <Button variant={asked === 'revoke' ? 'danger' : 'primary'} onClick={() => void act()}>
              {t(`codes.${asked}`)}
            </Button>
          }
        />
      )}
    </>
  );
}
