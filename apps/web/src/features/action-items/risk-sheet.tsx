import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { refusalProblem } from '../../shared/server/refusal-problem.ts';
import { ServerRefusal, type ServerCalls } from '../../shared/server/server-calls.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useServerAct } from '../../shared/server/use-server-act.ts';
import type { Action } from './action-screen-queries.ts';

/** Asks an approver whether the risk may be borne until a day. The server asks them, so it takes a connection. */
export function RiskSheet({ item, onClose }: { item: Action; onClose: () => void }) {
  const { t } = useTranslation('actions');
  const { engine } = useSignedIn();
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const ask = useCallback(
    (calls: ServerCalls, day: string, why: string) =>
      calls.call<string>('ask_to_accept_risk', { p_action: item.id, p_until: day, p_reason: why }),
    [item.id],
  );
  const say = useCallback((error: unknown) => t(`risk.problem.${problemOf(error)}`), [t]);
  const asking = useServerAct(ask, say);
  const send = async () => {
    setTried(true);
    if (until === '' || reason.trim() === '') return;
    if ((await asking.run(until, reason.trim())) === null) return;
    engine.syncNow();
    toast({ title: t('risk.sent') });
    onClose();
  };
  return (
    <FormSheet
      title={t('risk.title')}
      description={item.title}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('risk.ask')}
      busy={asking.busy}
      onSave={() => void send()}
    >
      <Input
        type="date"
        label={t('risk.until')}
        value={until}
        error={tried && until === '' ? t('risk.untilNeeded') : undefined}
        onChange={event => setUntil(event.target.value)}
      />
      <Textarea
        label={t('risk.reason')}
        value={reason}
        maxLength={2000}
        error={tried && reason.trim() === '' ? t('risk.reasonNeeded') : undefined}
        onChange={event => setReason(event.target.value)}
      />
      {asking.problem !== null && <Banner tone="bad" title={asking.problem} />}
    </FormSheet>
  );
}

function problemOf(error: unknown): 'offline' | 'until' | 'state' | 'open' | 'refused' {
  // One question about one thing at a time.
  if (error instanceof ServerRefusal && error.code === '23505') return 'open';
  const problem = refusalProblem(error, ['until', 'state']);
  return problem === 'notAllowed' ? 'refused' : problem;
}
