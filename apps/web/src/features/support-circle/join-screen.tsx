import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CircleRole } from '@cairn/core/roles/role-names.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { isAway } from '../../shared/server/is-away.ts';
import { ServerRefusal, useServerCalls, type ServerCalls } from '../../shared/server/server-calls.ts';
import { useCircleLabels, type GrantSummary } from './circle-labels.ts';
import { useCircleCall } from './use-circle-calls.ts';
import './support-circle.css';

type Invitation = {
  name: string;
  role: CircleRole;
  purpose: string | null;
  wanted: GrantSummary[];
};

type Props = {
  token: string;
  /** The relationship that began; null when it was declined. */
  onAnswered: (relationship: string | null, name: string) => void;
};

const answer = (calls: ServerCalls, token: string, isAccepted: boolean) =>
  calls.call<{ relationship: string | null }>('answer_circle_invitation', { p_token: token, p_accept: isAccepted });

/** Somebody asks for support: who, as what, and what one will see of them. */
export function JoinScreen({ token, onAnswered }: Props) {
  const { t } = useTranslation('circle');
  const words = useCircleLabels();
  const calls = useServerCalls();
  const query = useQuery({
    queryKey: ['circle', 'invitation', token],
    queryFn: () => calls.call<Invitation>('circle_invitation', { p_token: token }),
    enabled: token !== '',
  });
  const answering = useCircleCall(answer);
  const isRefused = token === '' || query.error instanceof ServerRefusal;
  if (isRefused || isAway(query)) {
    return (
      <EmptyState
        level={1}
        title={t(isRefused ? 'join.gone' : 'join.offline')}
        action={!isRefused && <Button onClick={() => void query.refetch()}>{t('join.again')}</Button>}
      >
        {t(isRefused ? 'join.goneText' : 'join.offlineText')}
      </EmptyState>
    );
  }
  if (query.data === undefined) return <SkeletonRows label={t('loading')} />;
  const { name, role, purpose, wanted } = query.data;
  const say = async (isAccepted: boolean) => {
    const answered = await answering.run(token, isAccepted);
    if (answered) onAnswered(answered.answer.relationship, name);
  };
  return (
    <Card className="parts circle-join">
      <h1 className="h1">{t('join.title', { name })}</h1>
      <p>{t('join.as', { role: words.role(role) })}</p>
      {purpose && <blockquote>{purpose}</blockquote>}
      <div className="parts circle-preview">
        <p className="t">{t('join.sees', { name })}</p>
        {wanted.length === 0 ? (
          <p className="muted sm">{t('join.nothing', { name })}</p>
        ) : (
          <ul>
            {wanted.map(each => (
              <li key={`${each.scope}${each.level}`}>{words.sees(each)}</li>
            ))}
          </ul>
        )}
        <p className="muted sm">{t('join.logged', { name })}</p>
      </div>
      {answering.problem && <Banner tone="bad" title={answering.problem} />}
      <div className="row wrap">
        <Button variant="primary" size="lg" busy={answering.busy} onClick={() => void say(true)}>
          {t('join.accept')}
        </Button>
        <Button size="lg" busy={answering.busy} onClick={() => void say(false)}>
          {t('join.decline')}
        </Button>
      </div>
    </Card>
  );
}
