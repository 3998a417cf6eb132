import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { signedAs } from '@cairn/base/signed-as.ts';
import {
  isSameHash,
  normalCertificateCode,
  universalTime,
  type CertificateStatus,
  type VerifiedCertificate,
} from '@cairn/core/policies/certificate-code.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { StatusChip, type StatusState } from '@cairn/ui/feedback/pill.tsx';
import { SkeletonHeading } from '@cairn/ui/feedback/skeleton.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useVerified, type VisitorCalls } from './use-verified.ts';
import './verify.css';

type Props = {
  /** What stands in the address. */
  code: string;
  /** @throws {Failure} `offline` when what is asked with cannot be loaded */
  calls: () => Promise<VisitorCalls>;
  onCode: (code: string) => void;
};

/** What opens from a certificate's code: whoever was handed one compares it with what the server has, without signing in. */
export function VerifyScreen({ code, calls, onCode }: Props) {
  const { t } = useTranslation('verify');
  const { verified, again } = useVerified(code, calls);
  if (verified.kind === 'asking') return <SkeletonHeading label={t('loading')} />;
  return (
    <div className="parts foot-room">
      {verified.kind === 'found' && <Found certificate={verified.certificate} />}
      {verified.kind === 'unknown' && (
        <StateBlock state="not-found" level={1} title={t('unknown')}>
          {t('unknownText')}
        </StateBlock>
      )}
      {verified.kind === 'offline' && (
        <StateBlock
          state="offline"
          level={1}
          title={t('offline')}
          action={<Button onClick={again}>{t('again')}</Button>}
        >
          {t('offlineText')}
        </StateBlock>
      )}
      {verified.kind === 'many' && (
        <StateBlock state="failed" level={1} title={t('many')} action={<Button onClick={again}>{t('again')}</Button>}>
          {t('manyText')}
        </StateBlock>
      )}
      {verified.kind !== 'offline' && <AnotherCode onCode={onCode} />}
    </div>
  );
}

const FACES: Record<CertificateStatus, StatusState> = {
  in_force: 'done',
  superseded: 'waiting',
  archived: 'waiting',
  void: 'finding',
};

function Found({ certificate }: { certificate: VerifiedCertificate }) {
  const { t } = useTranslation('verify');
  const { status } = certificate;
  const signed = signedAs(certificate.name, certificate.account_name);
  const facts: [string, string][] = [
    [t('fact.organization'), certificate.organization],
    [t('fact.policy'), certificate.title],
    [t('fact.version'), certificate.version],
    [t('fact.name'), signed.typed || t('nameGone')],
    ...(signed.account === null ? [] : [[t('fact.account'), signed.account] as [string, string]]),
    [t('fact.received'), universalTime(certificate.received_at)],
    [t('fact.hash'), certificate.content_hash],
  ];
  return (
    <>
      <header className="stack">
        <h1 className="h1">{t('known')}</h1>
        <p>{t('compare')}</p>
      </header>
      <Card className="stack" label={t('known')}>
        <div className="row">
          <StatusChip state={FACES[status]}>{t(`status.${status}`)}</StatusChip>
        </div>
        <p>{t(`statusText.${status}`)}</p>
        <dl className="verify-facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <CompareHash hash={certificate.content_hash} />
      </Card>
    </>
  );
}

/** Sixty-four digits are nothing to compare by eye. */
function CompareHash({ hash }: { hash: string }) {
  const { t } = useTranslation('verify');
  const [typed, setTyped] = useState('');
  const isSame = typed.trim() === '' ? undefined : isSameHash(typed, hash);
  return (
    <>
      <Input
        label={t('hash.label')}
        hint={t('hash.hint')}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        error={isSame === null ? t('hash.notOne') : undefined}
        onChange={event => setTyped(event.target.value)}
      />
      <div aria-live="polite">
        {isSame === true && <Banner tone="good" title={t('hash.same')} />}
        {isSame === false && <Banner tone="bad" title={t('hash.different')} />}
      </div>
    </>
  );
}

function AnotherCode({ onCode }: { onCode: (code: string) => void }) {
  const { t } = useTranslation('verify');
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <Card label={t('other')}>
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault();
          const code = normalCertificateCode(typed);
          setWrong(code === null);
          if (code !== null) onCode(code);
        }}
      >
        <h2 className="h2">{t('other')}</h2>
        <Input
          label={t('code')}
          hint={t('codeHint')}
          value={typed}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={isWrong ? t('notACode') : undefined}
          onChange={event => setTyped(event.target.value)}
        />
        <Button type="submit">{t('ask')}</Button>
      </form>
    </Card>
  );
}
