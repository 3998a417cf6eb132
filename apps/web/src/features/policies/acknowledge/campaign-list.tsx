import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endCampaign } from '@cairn/core/policies/ask-for-acknowledgement.ts';
import { audienceOf, type Campaign } from '@cairn/core/policies/policy-status.ts';
import { colleagues, places, type OpenedPolicy } from '@cairn/core/policies/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { AskSheet } from './ask-sheet.tsx';
import { QuizRuleButton, useRuleTexts } from '../quiz/quiz-rule.tsx';

/** Who is asked to acknowledge a policy. */
export function CampaignList({ opened: { policy, campaigns, current, next } }: { opened: OpenedPolicy }) {
  const { t } = useTranslation('policies');
  const { may } = useSpace();
  const [isAsking, setAsking] = useState(false);
  const hasQuiz = Boolean(current?.quiz ?? next?.quiz);
  if (!may('policy.publish')) return null;
  return (
    <section className="stack" aria-label={t('manage.asking')}>
      <h3 className="h3">{t('manage.asking')}</h3>
      {campaigns.length === 0 && <p className="sm muted">{t('manage.askingNobody')}</p>}
      <ul className="stack">
        {campaigns.map(campaign => (
          <CampaignLine key={campaign.id} campaign={campaign} hasQuiz={hasQuiz} />
        ))}
      </ul>
      <div className="row wrap">
        <Button variant={campaigns.length === 0 ? 'primary' : 'quiet'} onClick={() => setAsking(true)}>
          {t('manage.ask')}
        </Button>
      </div>
      {isAsking && <AskSheet policyId={policy.id} hasQuiz={hasQuiz} onClose={() => setAsking(false)} />}
    </section>
  );
}

function CampaignLine({ campaign, hasQuiz }: { campaign: Campaign; hasQuiz: boolean }) {
  const { t } = useTranslation('policies');
  const ruleText = useRuleTexts();
  const showsQuiz = hasQuiz || campaign.quiz_required;
  const store = useStore();
  const ending = useAction(() => store.write('policies.end-campaign', tx => endCampaign(tx, campaign.id)));
  const who = useAudienceLabel(campaign);
  const due = campaign.due_days === null ? t('ask.noDay') : t('ask.inDays', { count: campaign.due_days });
  return (
    <li className="row between wrap sm">
      <span>
        {who} · {due}
        {showsQuiz && ` · ${ruleText(campaign)}`}
      </span>
      <span className="row">
        {showsQuiz && <QuizRuleButton campaign={campaign} />}
        <Button size="sm" variant="plain" busy={ending.busy} onClick={() => ending.run()}>
          {t('manage.end')}
        </Button>
      </span>
    </li>
  );
}

const ROLES = ['admin', 'manager', 'member', 'auditor'] as const;

function useAudienceLabel(campaign: Campaign): string {
  const { t } = useTranslation('policies');
  const { organization } = useSpace();
  const known = useLive(places(organization.id));
  const people = useLive(colleagues(organization.id));
  const audience = audienceOf(campaign.audience);
  if (audience === null || audience.kind === 'all') return t('ask.all');
  if (audience.kind === 'roles')
    return ROLES.filter(role => audience.ids.includes(role))
      .map(role => t(`roles.${role}`))
      .join(', ');
  const named = [
    ...(known.status === 'ready' ? [...known.answer.sites, ...known.answer.teams] : []),
    ...(people.status === 'ready' ? people.answer : []),
  ];
  const names = audience.ids.map(id => named.find(each => each.id === id)?.name).filter(Boolean);
  return names.join(', ') || t('ask.chosen', { count: audience.ids.length });
}
