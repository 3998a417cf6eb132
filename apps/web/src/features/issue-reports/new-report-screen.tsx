import { useCallback, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { lookUpCode } from '@cairn/core/issue-reports/look-up-code.ts';
import { MAX_PHOTOS, reportIssue } from '@cairn/core/issue-reports/report-issue.ts';
import { reportPlaces, type ReportPlaces } from '@cairn/core/issue-reports/report-places.ts';
import type { IssueReport } from '@cairn/core/issue-reports/report-status.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Checkbox, Segmented } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { SkeletonHeading } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { capturePhoto } from '../../shared/media/captured-photo.ts';
import { photoWishes } from '../../shared/media/photo-wishes.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { PhotoTaker, type TakenPhoto } from './photo-taker.tsx';
import { CATEGORIES, categoryFrom, SEVERITIES, severityFrom } from './report-labels.ts';
import './reports.css';

type Props = {
  /** What it is about, where the way here began at an asset. */
  assetId: string | undefined;
  backLink: ReactNode;
  onReported: (id: string) => void;
  doneLink: ReactNode;
};

type ReportDraft = {
  title: string;
  description: string;
  location: string;
  siteId: string | null;
  assetId: string | null;
  severity: IssueReport['severity'];
  category: IssueReport['category'];
  isAnonymous: boolean;
};

/** Reports an issue: one line is enough, a photo is one tap away, and it is kept here without any signal. */
export function NewReportScreen(props: Props) {
  const { t } = useTranslation('issueReports');
  const { organization, userId, may } = useSpace();
  const places = useLive(reportPlaces({ organizationId: organization.id, userId, all: may('place.all') }));
  if (!may('issue.report')) {
    return (
      <EmptyState level={1} title={t('notAllowed')} action={props.backLink}>
        {t('notAllowedText')}
      </EmptyState>
    );
  }
  if (places.status === 'loading') return <SkeletonHeading label={t('loading')} />;
  return <Filling {...props} places={places.answer} />;
}

function Filling({ assetId, backLink, onReported, doneLink, places }: Props & { places: ReportPlaces }) {
  const { t } = useTranslation('issueReports');
  const [typed, setTyped] = useState<ReportDraft>(() => begun(assetId, places));
  const [photos, setPhotos] = useState<readonly TakenPhoto[]>([]);
  const store = useStore();
  const capture = useCallback(async (file: File) => capturePhoto(file, await photoWishes(store)), [store]);
  const [tried, setTried] = useState(false);
  const [code, setCode] = useState<string | null>(null);
  const reporting = useReporting(typed, photos, { onReported, onCode: setCode });
  const noTitle = typed.title.trim() === '';
  if (code !== null) return <KeepCode code={code} doneLink={doneLink} />;
  return (
    <form
      className="parts foot-room"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (!noTitle) reporting.run();
      }}
    >
      {backLink}
      <div className="page-head">
        <h1 className="h1">{t('new')}</h1>
      </div>
      <Card className="report-form">
        <Input
          label={t('field.title')}
          hint={t('field.titleHint')}
          value={typed.title}
          maxLength={200}
          error={tried && noTitle ? t('field.titleNeeded') : undefined}
          onChange={event => setTyped({ ...typed, title: event.target.value })}
        />
        <Segmented
          label={t('field.severity')}
          labelHidden={false}
          block
          value={typed.severity}
          onChange={value => setTyped({ ...typed, severity: severityFrom(value) })}
          options={SEVERITIES.map(value => ({ value, label: t(`severity.${value}`) }))}
        />
        <PhotoTaker photos={photos} most={MAX_PHOTOS} capture={capture} onChange={setPhotos} />
        <WhereAndWhat typed={typed} set={part => setTyped({ ...typed, ...part })} places={places} />
        <Nameless typed={typed} onChange={isAnonymous => setTyped({ ...typed, isAnonymous })} />
        <FailureLine failure={reporting.failure} />
        <Button type="submit" variant="primary" size="lg" block busy={reporting.busy}>
          {t('send')}
        </Button>
        <p className="sm muted">{t('sendHint')}</p>
      </Card>
    </form>
  );
}

const begun = (assetId: string | undefined, { assets, sites }: ReportPlaces): ReportDraft => {
  const asset = assets.find(({ id }) => id === assetId);
  // One site is no choice.
  const only = sites.length === 1 ? (sites[0]?.id ?? null) : null;
  return {
    title: '',
    description: '',
    location: '',
    siteId: asset ? asset.site_id : only,
    assetId: asset?.id ?? null,
    severity: 'medium',
    category: 'hazard',
    isAnonymous: false,
  };
};

type ReportHandlers = { onReported: (id: string) => void; onCode: (code: string) => void };

function useReporting(typed: ReportDraft, photos: readonly TakenPhoto[], { onReported, onCode }: ReportHandlers) {
  const store = useStore();
  const { organization, userId } = useSpace();
  return useAction(async () => {
    const id = newId();
    const { isAnonymous, ...fields } = typed;
    const anonymousCode = isAnonymous ? lookUpCode(crypto.getRandomValues(new Uint8Array(12))) : null;
    const whole = { id, organizationId: organization.id, ...fields, photos, by: userId, anonymousCode };
    await store.write('issue-reports.report', tx => reportIssue(tx, { ...whole, at: new Date().toISOString() }), {
      together: true,
    });
    if (anonymousCode === null) onReported(id);
    else onCode(anonymousCode);
  });
}

type PartProps = { typed: ReportDraft; set: (part: Partial<ReportDraft>) => void; places: ReportPlaces };

function WhereAndWhat({ typed, set, places: { assets, sites } }: PartProps) {
  const { t } = useTranslation('issueReports');
  const near = assets.filter(
    asset => typed.siteId === null || asset.site_id === typed.siteId || asset.id === typed.assetId,
  );
  return (
    <>
      {sites.length > 1 && (
        <Select
          label={t('field.site')}
          placeholder={t('field.noSite')}
          choices={sites.map(site => ({ value: site.id, label: site.name }))}
          value={typed.siteId ?? ''}
          onChange={event => set({ siteId: event.target.value || null, assetId: null })}
        />
      )}
      <Select
        label={t('field.asset')}
        placeholder={t('field.noAsset')}
        choices={near.map(asset => ({ value: asset.id, label: asset.name }))}
        value={typed.assetId ?? ''}
        onChange={event => set({ assetId: event.target.value || null })}
      />
      <Input
        label={t('field.location')}
        value={typed.location}
        maxLength={200}
        onChange={event => set({ location: event.target.value })}
      />
      <Select
        label={t('field.category')}
        choices={CATEGORIES.map(value => ({ value, label: t(`category.${value}`) }))}
        value={typed.category}
        onChange={event => set({ category: categoryFrom(event.target.value) })}
      />
      <Textarea
        label={t('field.description')}
        value={typed.description}
        maxLength={10_000}
        onChange={event => set({ description: event.target.value })}
      />
    </>
  );
}

function Nameless({ typed, onChange }: { typed: ReportDraft; onChange: (isAnonymous: boolean) => void }) {
  const { t } = useTranslation('issueReports');
  const { organization } = useSpace();
  if (!organization.allows_anonymous_reports) return null;
  return (
    <div className="stack">
      <Checkbox label={t('field.anonymous')} checked={typed.isAnonymous} onChange={onChange} />
      {typed.isAnonymous && <p className="sm muted">{t('field.anonymousText')}</p>}
    </div>
  );
}

function KeepCode({ code, doneLink }: { code: string; doneLink: ReactNode }) {
  const { t } = useTranslation('issueReports');
  return (
    <div className="parts foot-room">
      <div className="page-head">
        <h1 className="h1">{t('kept.title')}</h1>
      </div>
      <Card className="stack">
        <p>{t('kept.text')}</p>
        <p className="report-code num">{code}</p>
        <p className="sm muted">{t('kept.once')}</p>
        {doneLink}
      </Card>
    </div>
  );
}
