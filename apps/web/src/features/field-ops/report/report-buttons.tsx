import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Download, Share2 } from 'lucide-react';
import { signedAs } from '@cairn/base/signed-as.ts';
import { Failure } from '@cairn/base/failure.ts';
import type { CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { hasTag, presenceSummary } from '@cairn/core/on-site/presence.ts';
import { presenceOf } from '@cairn/core/inspections/prove-presence.ts';
import { submittedBy } from '@cairn/core/spaces/submitted-by.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { lengthText } from '../../../shared/format/length-text.ts';
import { pdfName, saveFile } from '../../../shared/files/save-file.ts';
import { isSound } from '../../../shared/media/sound-view.tsx';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import type { InspectionRecord } from '../inspections/inspection-queries.ts';
import { presenceLine } from '../on-site/presence-text.ts';
import { useMeasured } from '../on-site/places-drawing.tsx';
import { filesOfReport, pictureOfReport } from './report-files.ts';
import { reportOf } from './report-model.ts';
import type { Review } from '../review/use-review.ts';

type Props = { record: InspectionRecord; compiled: CompiledForm; review: Review };

const canShare = (): boolean =>
  typeof navigator.canShare === 'function' &&
  navigator.canShare({ files: [new File([''], 'report.pdf', { type: 'application/pdf' })] });

/** The report as a file: kept on the device, or handed to another app. It is made here, also with no signal. */
export function ReportButtons({ record, compiled, review }: Props) {
  const { t } = useTranslation('review');
  const { t: tc } = useTranslation('capture');
  const make = useReportFile(record, compiled, review);
  const [made, setMade] = useState<File | null>(null);
  const keeping = useAction(async () => {
    const file = await make();
    saveFile(file.name, file);
  });
  const sharing = useAction(async () => {
    const file = made ?? (await make());
    setMade((await share(file)) === 'press_again' ? file : null);
  });
  return (
    <div className="stack">
      <div className="row wrap">
        <Button icon={Download} busy={keeping.busy} onClick={() => keeping.run()}>
          {t('pdf.save')}
        </Button>
        {canShare() && (
          <Button icon={Share2} busy={sharing.busy} onClick={() => sharing.run()}>
            {t('pdf.share')}
          </Button>
        )}
      </div>
      {made && <output className="hint">{tc('share.again')}</output>}
      <FailureLine failure={keeping.failure ?? sharing.failure} />
    </div>
  );
}

function useReportFile(record: InspectionRecord, compiled: CompiledForm, review: Review): () => Promise<File> {
  const { t } = useTranslation('field');
  const { t: tr } = useTranslation('review');
  const { t: tp } = useTranslation('presence');
  const { t: ts } = useTranslation('shell');
  const store = useStore();
  const { t: tc } = useTranslation('capture');
  const measured = useMeasured();
  const { formatInstant, formatNumber, formatBytes } = useFormat();
  const { inspection, asset } = record;
  const name = (id: string | null) => review.trail?.names.get(id ?? '') || null;
  const when = (iso: string | null) => iso && formatInstant(new Date(iso));
  const percent = inspection.score_max ? Math.round(((inspection.score ?? 0) * 100) / inspection.score_max) : null;
  const facts: [string, string | null | undefined][] = [
    [tr('pdf.asset'), asset?.name],
    [t('report.who'), name(inspection.conducted_by)],
    [tr('pdf.state'), review.pending.late === 'refused' ? tr('late.kept') : tr(`state.${inspection.status}`)],
    [tr('pdf.score'), percent === null ? null : t('row.percent', { percent: formatNumber(percent) })],
    [tr('pdf.result'), inspection.result && t(`result.${inspection.result}`)],
    [t('report.phoneTime'), when(inspection.finished_at)],
    [t('report.serverTime'), when(inspection.received_at)],
    [tr('pdf.hash'), inspection.content_hash],
  ];
  const presenceFact = async (): Promise<[string, string | null]> => {
    const summary = presenceSummary(await store.read(presenceOf(inspection.id)), inspection, asset ?? null);
    const unproven = compiled.form.presence ? tp('card.unproven') : null;
    return [tp('card.title'), summary ? presenceLine(tp, summary, hasTag(asset)) : unproven];
  };
  const submitterFact = async (): Promise<[string, string | null]> => {
    const by = await store.read(submittedBy(inspection));
    return [t('report.brought'), by && (by === 'former' ? ts('brought.former') : ts('brought.by', { name: by.name }))];
  };
  return async () => {
    const parts = Promise.all([import('./report-pdf.ts'), import('../../../shared/report/report-face-files.ts')]);
    const [{ reportPdf }, { faceFile }] = await parts.catch((cause: unknown) => {
      throw new Failure('offline', 'the code of reports is not on this device', { cause });
    });
    const presence = await presenceFact();
    const lines = [...facts, await submitterFact(), presence].flatMap(([fact, value]): [string, string][] =>
      value ? [[fact, value]] : [],
    );
    const as = signedAs(inspection.signed_by, inspection.signed_account);
    const account = as.account && t('report.signedAccount', { name: as.account });
    const signed = [t('report.signedBy', { name: as.typed }), account, when(inspection.signed_at)];
    const report = reportOf(record, compiled, {
      t,
      facts: lines,
      signed: signed.filter(Boolean).join(' · '),
      measured,
    });
    const bytes = await reportPdf(report, {
      fileOf: filesOfReport(store, media =>
        isSound(media) && media.duration_ms !== null
          ? tc('sound.inReport', { length: lengthText(media.duration_ms) })
          : tc('sound.fileInReport', { size: formatBytes(media.bytes) }),
      ),
      pictureOf: id => pictureOfReport(store, id),
      faces: faceFile,
      words: {
        flagged: tr('flagged.title'),
        noneFlagged: tr('flagged.none'),
        outcome: { pass: t('answer.pass'), fail: t('answer.fail'), na: t('answer.na') },
        photoElsewhere: t('photo.elsewhere'),
        page: (page, of) => tr('pdf.page', { page, of }),
      },
    });
    return new File([bytes], pdfName(inspection.title), { type: 'application/pdf' });
  };
}

/**
 * Whoever closes the sheet of the system wanted nothing. A press counts for some seconds only: where making the report took
 * longer, the platform wants another one.
 */
async function share(file: File): Promise<'done' | 'press_again'> {
  try {
    await navigator.share({ files: [file], title: file.name });
    return 'done';
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'done';
    if (error instanceof DOMException && error.name === 'NotAllowedError' && !navigator.userActivation?.isActive) {
      return 'press_again';
    }
    throw new Failure('not_allowed', 'share', { cause: error });
  }
}
