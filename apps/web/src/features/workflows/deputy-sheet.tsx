import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { addDays, localDay } from '@cairn/base/local-day.ts';
import type { Holder } from '@cairn/core/approvals/approvals.ts';
import { awayToo, delegate, MAX_DELEGATION_DAYS, type Delegations } from '@cairn/core/approvals/delegations.ts';
import { colleagues } from '@cairn/core/spaces/colleagues.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { DateRangeInput, type DateRange } from '@cairn/ui/controls/date-input.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';

/** The midnight with which a local day begins, as an instant. */
const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

const wordsFor = (holders: readonly Holder[], nameless: string) =>
  holders.map(({ id, name }) => ({ value: id, label: name ?? nameless }));

type Props = {
  /** Who may be asked to decide on something. */
  people: readonly Holder[];
  known: Delegations;
  onClose: () => void;
};

/** Names who decides in somebody's name, from a day until a day. */
export function DeputySheet({ people, known, onClose }: Props) {
  const { t, i18n } = useTranslation('workflows');
  const { organization, userId, may } = useSpace();
  const store = useStore();
  const [today] = useState(() => localDay(new Date()));
  const [fromId, setFromId] = useState(userId);
  const [toId, setToId] = useState('');
  const [range, setRange] = useState<DateRange>({ from: today, to: null });
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const problem = problemOf({ toId, range, today });
  const times = { startsAt: startOf(range.from ?? today), endsAt: startOf(addDays(range.to ?? today, 1)) };
  const saving = useAction(async () => {
    const delegation = { id: newId(), organizationId: organization.id, fromId, toId, ...times, reason, by: userId };
    await store.write('approvals.delegate', tx => delegate(tx, { ...delegation, at: new Date().toISOString() }));
    toast({ title: t('deputies.saved') });
    onClose();
  });
  const save = () => {
    setTried(true);
    if (problem === null) saving.run();
  };
  const rows = [...known.own, ...known.asDeputy, ...known.others];
  const deputies = people.filter(({ id }) => id !== fromId && (fromId === userId || id !== userId));
  return (
    <FormSheet
      title={t('deputies.form.title')}
      description={t('deputies.form.text')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('deputies.form.save')}
      busy={saving.busy}
      onSave={save}
    >
      {may('people.manage') && <WhoIsAway value={fromId} onChange={setFromId} />}
      <Select
        label={t('deputies.form.to')}
        placeholder={t('choose')}
        hint={deputies.length === 0 ? t('deputies.form.nobody') : t('deputies.form.toHint')}
        value={toId}
        error={tried && problem === 'to' ? t('deputies.form.toNeeded') : undefined}
        choices={wordsFor(deputies, t('somebody'))}
        onChange={({ target }) => setToId(target.value)}
      />
      <DateRangeInput
        label={t('deputies.form.when')}
        fromLabel={t('deputies.form.from')}
        toLabel={t('deputies.form.until')}
        value={range}
        onChange={setRange}
        locale={i18n.language}
        wrongOrder={t('deputies.form.backwards')}
        lengthLabel={count => t('deputies.form.length', { count })}
      />
      {tried && problem !== null && problem !== 'to' && (
        <Banner tone="bad" title={t(`deputies.form.${problem}`, { count: MAX_DELEGATION_DAYS })} />
      )}
      {toId !== '' && problem === null && awayToo(rows, { toId, ...times }) && (
        <Banner tone="warn" title={t('deputies.form.awayToo')} />
      )}
      <Textarea
        label={t('deputies.form.reason')}
        hint={t('deputies.form.reasonHint')}
        value={reason}
        maxLength={500}
        onChange={({ target }) => setReason(target.value)}
      />
      <FailureLine failure={saving.failure} />
    </FormSheet>
  );
}

type Problem = 'to' | 'days' | 'backwards' | 'past' | 'long';

function problemOf({ toId, range, today }: { toId: string; range: DateRange; today: string }): Problem | null {
  if (toId === '') return 'to';
  if (range.from === null || range.to === null) return 'days';
  if (range.to < range.from) return 'backwards';
  if (range.to < today) return 'past';
  return range.to >= addDays(range.from, MAX_DELEGATION_DAYS) ? 'long' : null;
}

/** For whoever manages people: somebody may be away who never said so. */
function WhoIsAway({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { t } = useTranslation('workflows');
  const { organization } = useSpace();
  const everybody = useLive(colleagues(organization.id));
  const people = everybody.status === 'ready' ? everybody.answer : [];
  return (
    <Select
      label={t('deputies.form.away')}
      value={value}
      choices={people.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
