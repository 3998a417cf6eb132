import { useTranslation } from 'react-i18next';
import { Pencil, PenLine, RefreshCw } from 'lucide-react';
import { questionTypeDef } from '@cairn/core/forms/question-types/question-types.ts';
import type { CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { oneLine } from '@cairn/base/one-line.ts';
import { formPath } from '@cairn/core/forms/definition/repeat-path.ts';
import type { Json, Row } from '@cairn/schema';
import { Timeline, type Moment } from '@cairn/ui/data/timeline.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { SignedName } from '../../../shared/records/signed-name.tsx';
import { timerText } from '../answers/answer-text.ts';
import { SignatureDrawing } from '../answers/signature-drawing.tsx';
import { questionLabel } from '../answers/question-label.ts';
import { languageOf } from '../runner/use-runner.ts';
import type { Review } from '../review/use-review.ts';

type LoggedAnswer = { value: Json; note: string | null; media_ids: Json };
const STATES = ['in_progress', 'finalised', 'has_issues', 'approved', 'rejected', 'closed', 'scheduled'] as const;

/** Who changed which answer when, and how the inspection went from state to state; the newest first. */
export function InspectionLog({ review, compiled }: { review: Review; compiled: CompiledForm }) {
  const { t } = useTranslation('review');
  const { formatInstant } = useFormat();
  const events = review.trail?.events ?? [];
  const moments = events.toReversed().flatMap((event): Moment[] => {
    const name = review.trail?.names.get(event.by_id ?? '') || t('comments.somebody');
    const when = { at: event.at, when: formatInstant(new Date(event.at)) };
    if (event.kind === 'answer') {
      return [
        {
          id: event.id,
          icon: Pencil,
          title: t('log.answer', { name }),
          detail: <Change event={event} compiled={compiled} />,
          ...when,
        },
      ];
    }
    if (event.kind === 'signature') {
      const former = event.before as FormerSignature | null;
      return [
        {
          id: event.id,
          icon: PenLine,
          title: t('log.signature', { name }),
          detail: <Former former={former} />,
          ...when,
        },
      ];
    }
    const state = STATES.find(each => each === event.after);
    return state
      ? [{ id: event.id, icon: RefreshCw, tone: 'accent', title: t(`log.state.${state}`, { name }), ...when }]
      : [];
  });
  return (
    <Card className="stack" label={t('log.title')}>
      <h2 className="h2">{t('log.title')}</h2>
      {moments.length > 0 ? (
        <Timeline label={t('log.title')} moments={moments} />
      ) : (
        <p className="muted sm">{t('log.empty')}</p>
      )}
    </Card>
  );
}

type FormerSignature = {
  signature: Json;
  signed_by: string | null;
  /** What the account was called; missing in logs from before this was kept. */
  signed_account?: string | null;
  signed_at: string | null;
};

/** The signature that was replaced: whoever reads the report can see what was signed before. */
function Former({ former }: { former: FormerSignature | null }) {
  const { t } = useTranslation('review');
  const { formatInstant } = useFormat();
  if (!former) return null;
  const name = oneLine(former.signed_by ?? '');
  const when = former.signed_at === null ? '' : formatInstant(new Date(former.signed_at));
  return (
    <>
      <p>
        <SignedName
          typed={t('log.signedBefore', { name, when })}
          account={former.signed_account ?? null}
          accountLine={account => t('log.signedAccount', { name: account })}
        />
      </p>
      <SignatureDrawing value={former.signature} label={t('log.formerSignature', { name })} />
    </>
  );
}

function Change({ event, compiled }: { event: Row<'inspection_events'>; compiled: CompiledForm }) {
  const { t } = useTranslation('review');
  const before = event.before as LoggedAnswer | null;
  const after = event.after as LoggedAnswer | null;
  const item = compiled.byPath.get(formPath(event.question ?? ''));
  const question =
    item?.kind === 'question' ? questionLabel(item.question, languageOf(compiled)) : (event.question ?? '');
  const { t: tf } = useTranslation('field');
  const ofTimer = (value: Json) =>
    item?.kind === 'question' && questionTypeDef(item.question.type).reads === 'seconds' ? timerText(value, tf) : null;
  const words = (value: Json | undefined) => ofTimer(value ?? null) ?? plainText(value) ?? t('log.nothing');
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  return (
    <>
      {!isSame(before?.value, after?.value) && (
        <p>{t('log.fromTo', { question, before: words(before?.value), after: words(after?.value) })}</p>
      )}
      {!isSame(before?.note, after?.note) && (
        <p>{t('log.note', { before: words(before?.note), after: words(after?.note) })}</p>
      )}
      {!isSame(before?.media_ids, after?.media_ids) && <p>{`${question}: ${t('log.photos')}`}</p>}
    </>
  );
}

/** A value in short; null where there is none. */
function plainText(value: Json | undefined): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  if (Array.isArray(value)) return value.map(each => plainText(each) ?? '').join(', ') || null;
  return 'strokes' in value ? '✍' : JSON.stringify(value).slice(0, 120);
}
