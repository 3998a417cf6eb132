import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lookUpCode } from '@cairn/core/issue-reports/look-up-code.ts';
import {
  submissionKey,
  VISITOR_LIMITS,
  visitorFault,
  visitorReportBody,
  type PublicPlace,
} from '@cairn/core/issue-reports/public-report.ts';
import type { IssueReport } from '@cairn/core/issue-reports/report-status.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { PhotoTaker, type TakenPhoto } from './photo-taker.tsx';
import { SEVERITIES, severityFrom } from './report-labels.ts';
import { captureForVisitor } from './visitor-photo.ts';
import { waitingReports, type WaitingReport } from './waiting-reports.ts';

type ReportDraft = { severity: IssueReport['severity']; text: string; name: string; contact: string };
const EMPTY: ReportDraft = { severity: 'medium', text: '', name: '', contact: '' };

type ReportSubmission = { token: string; place: PublicPlace | null; typed: ReportDraft; photos: readonly TakenPhoto[] };
type RefusedReport = WaitingReport & { body: NonNullable<WaitingReport['body']> };

const random = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));

const typedOf = ({ body }: RefusedReport): ReportDraft => ({
  severity: body.severity,
  text: body.text,
  name: body.name ?? '',
  contact: body.contact ?? '',
});

const photosOf = ({ key, body, photos }: RefusedReport): TakenPhoto[] =>
  photos.flatMap(({ bytes, mime }, at) => {
    const sha256 = body.photos[at]?.sha256;
    return sha256 ? [{ id: `${key}/${at}`, bytes, mime, sha256, width: null, height: null }] : [];
  });

/**
 * Writes the report down on this phone; from here on it is sent once, whatever happens to the page.
 *
 * @param before what the server refused and is written anew: it has nothing of it, so key and code stay
 */
async function keep({ token, place, typed, photos }: ReportSubmission, before: RefusedReport | null): Promise<void> {
  const code = before?.code ?? lookUpCode(random(12));
  const at = before?.madeAt ?? new Date().toISOString();
  const announced = photos.map(({ bytes, sha256 }) => ({ bytes: bytes.byteLength, sha256 }));
  await waitingReports.keep({
    key: before?.key ?? submissionKey(random(32)),
    token,
    place,
    body: visitorReportBody({ ...typed, photos: announced, code, at }),
    photos: photos.map(({ bytes, mime }) => ({ bytes, mime, state: 'waiting' })),
    code,
    madeAt: at,
    state: 'waiting',
    reference: null,
  });
}

type Props = {
  token: string;
  place: PublicPlace | null;
  /** One the server refused, to be changed. */
  before?: RefusedReport;
  onKept: () => void;
};

/** What is wrong, how bad, a photo: one thumb, no name unless somebody wants to give it. */
export function VisitorForm({ token, place, before, onKept }: Props) {
  const { t } = useTranslation('issueReports');
  const [typed, setTyped] = useState(before ? typedOf(before) : EMPTY);
  const [photos, setPhotos] = useState<readonly TakenPhoto[]>(before ? photosOf(before) : []);
  const [state, setState] = useState<'idle' | 'tried' | 'busy' | 'failed'>('idle');
  const fault = visitorFault({ ...typed, photos: [] });
  const send = () => {
    if (fault !== null) return setState('tried');
    setState('busy');
    keep({ token, place, typed, photos }, before ?? null).then(onKept, () => setState('failed'));
  };
  const set = (part: Partial<ReportDraft>) => setTyped({ ...typed, ...part });
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        send();
      }}
    >
      <Card className="report-form">
        <Textarea
          label={t('public.text')}
          value={typed.text}
          maxLength={VISITOR_LIMITS.text}
          rows={4}
          error={state === 'tried' && fault === 'empty' ? t('public.textNeeded') : undefined}
          onChange={event => set({ text: event.target.value })}
        />
        <Segmented
          label={t('field.severity')}
          labelHidden={false}
          block
          value={typed.severity}
          onChange={value => set({ severity: severityFrom(value) })}
          options={SEVERITIES.map(value => ({ value, label: t(`severity.${value}`) }))}
        />
        <PhotoTaker photos={photos} most={VISITOR_LIMITS.photos} capture={captureForVisitor} onChange={setPhotos} />
        <WhoAsks typed={typed} set={set} />
        {state === 'failed' && (
          <Banner tone="bad" title={t('public.notKept')}>
            {t('public.notKeptText')}
          </Banner>
        )}
        <Button type="submit" variant="primary" size="lg" block busy={state === 'busy'}>
          {t('send')}
        </Button>
        <p className="sm muted">{t('sendHint')}</p>
      </Card>
    </form>
  );
}

function WhoAsks({ typed, set }: { typed: ReportDraft; set: (part: Partial<ReportDraft>) => void }) {
  const { t } = useTranslation('issueReports');
  return (
    <details className="report-who">
      <summary className="tap">{t('public.who')}</summary>
      <div className="report-form">
        <p className="sm muted">{t('public.whoText')}</p>
        <Input
          label={t('public.name')}
          value={typed.name}
          maxLength={VISITOR_LIMITS.name}
          autoComplete="name"
          onChange={event => set({ name: event.target.value })}
        />
        <Input
          label={t('public.contact')}
          value={typed.contact}
          maxLength={VISITOR_LIMITS.contact}
          autoComplete="email"
          onChange={event => set({ contact: event.target.value })}
        />
      </div>
    </details>
  );
}
