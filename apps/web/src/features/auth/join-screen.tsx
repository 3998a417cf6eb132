import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import type { JoinResult, JoinKind, JoinPreview, ReachAuth } from '../../shared/auth/auth-flows.ts';
import { useFormat } from '../../shared/format/format.ts';
import { RefusalBanner } from '../../shared/auth/refusal-banner.tsx';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import { AuthFrame } from './auth-frame.tsx';

type Props = {
  kind: JoinKind;
  token: string;
  flows: ReachAuth;
  signedIn: { email: string } | null;
  /** Whoever signed in to accept this very link, a moment ago, has agreed already. */
  hasAgreed: boolean;
  /** How many things of this device the server does not have yet. */
  pendingCount: number;
  onJoined: (joined: JoinResult) => Promise<void>;
  switchAccount: () => Promise<void>;
  /** Links, made where the routes are. */
  signUpLink: ReactNode;
  signInLink: ReactNode;
  renderStartLink: (words: string) => ReactNode;
};

/** An invitation or a partner link in plain words, before anybody agrees to it. */
export function JoinScreen(props: Props) {
  const { kind, token, flows, signedIn, hasAgreed, onJoined } = props;
  const { t } = useTranslation('authSteps');
  const [preview, setPreview] = useState<JoinPreview | null>(null);
  const reading = useAuthCall();
  const joining = useAuthCall();
  const who = signedIn?.email ?? null;
  const { run: runReading } = reading;
  const read = useCallback(() => {
    runReading(async () => setPreview(await (await flows()).previewJoin(kind, token)));
  }, [runReading, flows, kind, token]);
  useEffect(read, [read, who]);
  const join = () => joining.run(async () => onJoined(await (await flows()).join(kind, token)));
  const isReady = preview !== null && signedIn !== null && preview.isForMe;
  useEffect(() => {
    if (isReady && hasAgreed) join();
  }, [isReady, hasAgreed]);

  if (reading.refusal && !preview) return <Unreadable {...props} refusal={reading.refusal} retry={read} />;
  if (!preview)
    return (
      <AuthFrame title={t('join.loading')}>
        <div className="fields">
          <SkeletonRows rows={3} label={t('join.loading')} />
        </div>
      </AuthFrame>
    );
  return (
    <AuthFrame title={t('join.title', { organization: preview.organization })} subtitle={<Who preview={preview} />}>
      <RefusalBanner title={t('join.failed')} refusal={joining.refusal} />
      <Facts preview={preview} />
      <Acts {...props} preview={preview} join={join} busy={joining.busy} />
    </AuthFrame>
  );
}

function Who({ preview }: { preview: JoinPreview }) {
  const { t } = useTranslation('authSteps');
  const { organization, roleName: role, invitedBy: name } = preview;
  return name === null
    ? t('join.invitedNobody', { organization, role })
    : t('join.invited', { name, organization, role });
}

function Facts({ preview }: { preview: JoinPreview }) {
  const { t } = useTranslation('authSteps');
  const { formatDate } = useFormat();
  const { organization, program, programText, sites, validUntil, may } = preview;
  return (
    <div className="facts-of-join">
      {program && <p className="strong">{program}</p>}
      {programText && <p>{programText}</p>}
      {sites.length > 0 && <p>{t('join.sites', { sites: sites.join(', ') })}</p>}
      {validUntil && <p>{t('join.until', { day: formatDate(new Date(validUntil)) })}</p>}
      {may.length > 0 && (
        <details>
          <summary className="link">{t('join.may')}</summary>
          <ul>
            {may.map(each => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </details>
      )}
      <p className="muted sm">{t('join.private', { organization })}</p>
    </div>
  );
}

type ActsProps = Props & { preview: JoinPreview; join: () => void; busy: boolean };

function Acts(props: ActsProps) {
  const { preview, signedIn, join, busy, pendingCount, switchAccount, signUpLink, signInLink, renderStartLink } = props;
  const { t } = useTranslation('authSteps');
  const leaving = useAuthCall();
  if (!signedIn)
    return (
      <div className="others">
        {signUpLink}
        {signInLink}
      </div>
    );
  const { email } = signedIn;
  const change = (
    <Button
      variant={preview.isForMe ? 'plain' : 'primary'}
      block
      busy={leaving.busy}
      onClick={() => leaving.run(switchAccount)}
    >
      {t('join.switch')}
    </Button>
  );
  if (!preview.isForMe)
    return (
      <div className="others">
        <Banner tone="warn" title={t('join.other', { hint: preview.emailHint ?? '' })}>
          {t('join.otherText', { email })} {pendingCount > 0 && t('join.unsent', { count: pendingCount })}
        </Banner>
        {change}
        {renderStartLink(t('join.notNow'))}
      </div>
    );
  return (
    <div className="others">
      <Button variant="primary" size="lg" block busy={busy} busyText={t('join.accepting')} onClick={join}>
        {preview.alreadyMember ? t('join.open', { organization: preview.organization }) : t('join.accept')}
      </Button>
      <p className="foot">{t('join.asYou', { email })}</p>
      {change}
      {renderStartLink(t('join.notNow'))}
    </div>
  );
}

type UnreadableProps = Props & { refusal: NonNullable<ReturnType<typeof useAuthCall>['refusal']>; retry: () => void };

function Unreadable({ refusal, retry, renderStartLink }: UnreadableProps) {
  const { t } = useTranslation('authSteps');
  const isSpent = refusal.kind === 'link_unusable';
  return (
    <AuthFrame title={t(isSpent ? 'join.unusable' : 'join.failed')} subtitle={isSpent && t('join.unusableText')}>
      {!isSpent && <RefusalBanner title={t('join.failed')} refusal={refusal} />}
      <div className="others">
        {!isSpent && (
          <Button block onClick={retry}>
            {t('join.retry')}
          </Button>
        )}
        {renderStartLink(t('join.home'))}
      </div>
    </AuthFrame>
  );
}
