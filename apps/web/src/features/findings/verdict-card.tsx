import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Finding, type FindingRights, mayClose } from '@cairn/core/findings/finding-states.ts';
import { judgeFinding, type JudgeFinding } from '@cairn/core/findings/raise-finding.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

type Props = { finding: Finding; rights: FindingRights };

/** Closes an answered finding, or opens it again with why; without signal the verdict waits here like all work. */
export function VerdictCard({ finding, rights }: Props) {
  const { t } = useTranslation('findings');
  const store = useStore();
  const [verdict, setVerdict] = useState('');
  const [tried, setTried] = useState(false);
  const judging = useAction(async (state: JudgeFinding['state']) => {
    const whole = { id: finding.id, state, verdict, by: rights.userId, at: new Date().toISOString() };
    await store.write('findings.judge', tx => judgeFinding(tx, whole));
    toast({ title: t(`verdict.${state}`) });
  });
  const say = (state: JudgeFinding['state']) => {
    setTried(state === 'reopened');
    if (state === 'closed' || verdict.trim() !== '') judging.run(state);
  };
  const closes = mayClose(finding, rights);
  return (
    <Card label={t('verdict.yours')} className="parts findings-card">
      <h2 className="h2">{t('verdict.yours')}</h2>
      {!closes && finding.state === 'answered' && <p className="muted sm">{t('verdict.others')}</p>}
      <Textarea
        label={t('verdict.why')}
        value={verdict}
        maxLength={2000}
        error={tried && verdict.trim() === '' ? t('verdict.whyNeeded') : undefined}
        onChange={event => setVerdict(event.target.value)}
      />
      <FailureLine failure={judging.failure} />
      <div className="row wrap">
        {closes && (
          <Button variant="primary" busy={judging.busy} onClick={() => say('closed')}>
            {t('verdict.close')}
          </Button>
        )}
        <Button busy={judging.busy} onClick={() => say('reopened')}>
          {t('verdict.reopen')}
        </Button>
      </div>
    </Card>
  );
}
