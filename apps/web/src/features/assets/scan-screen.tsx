import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ScanLine } from 'lucide-react';
import { assetByCode } from '@cairn/core/assets/queries.ts';
import { codeIn } from '@cairn/core/assets/scanned-code.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { CodeCamera, PhotoOfCode } from '../../shared/media/code-camera.tsx';
import { useSpace } from '../../shared/session/space.ts';
import './assets.css';

type Props = {
  backLink: ReactNode;
  onFound: (assetId: string) => void;
  /** Adds the asset a code belongs to; shown to whoever may. */
  renderAdd: (code: string) => ReactNode;
};

type Outcome = { kind: 'unknown'; code: string } | { kind: 'unread' } | null;

/** Opens an asset by its code, from the camera, from a photo, or typed: three equal ways, all without signal. */
export function ScanScreen({ backLink, onFound, renderAdd }: Props) {
  const { t } = useTranslation('assets');
  const { t: tc } = useTranslation('capture');
  const { may } = useSpace();
  const [outcome, setOutcome] = useState<Outcome>(null);
  const lookUp = useLookUp(onFound, setOutcome);
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <h1 className="h1">{t('scan.title')}</h1>
      </div>
      <div aria-live="polite">
        {outcome?.kind === 'unknown' && (
          <Banner
            tone="warn"
            title={t('scan.unknown', { code: outcome.code })}
            action={may('asset.manage') && renderAdd(outcome.code)}
          >
            {t('scan.unknownText')}
          </Banner>
        )}
        {outcome?.kind === 'unread' && (
          <Banner tone="warn" title={tc('code.unread')}>
            {tc('code.unreadText')}
          </Banner>
        )}
      </div>
      <div className="parts columns first-wide">
        <Card label={t('scan.camera')}>
          <CodeCamera onRead={lookUp} onStart={() => setOutcome(null)} />
        </Card>
        <Card label={t('scan.otherWays')} className="stack">
          <TypedPart onTyped={lookUp} />
          <PhotoOfCode onRead={lookUp} onUnread={() => setOutcome({ kind: 'unread' })} />
        </Card>
      </div>
    </div>
  );
}

function useLookUp(onFound: Props['onFound'], onOutcome: (outcome: Outcome) => void): (text: string) => void {
  const store = useStore();
  const { organization } = useSpace();
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  if (failure) throw failure.error;
  return text => {
    store.read(assetByCode(organization.id, text)).then(
      asset => (asset ? onFound(asset.id) : onOutcome({ kind: 'unknown', code: codeIn(text) })),
      (error: unknown) => setFailure({ error }),
    );
  };
}

function TypedPart({ onTyped }: { onTyped: (code: string) => void }) {
  const { t } = useTranslation('assets');
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const isEmpty = code.trim() === '';
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault();
        setTried(isEmpty);
        if (!isEmpty) onTyped(code);
      }}
    >
      <Input
        label={t('scan.typed')}
        hint={t('scan.typedHint')}
        value={code}
        autoComplete="off"
        autoCapitalize="characters"
        enterKeyHint="go"
        error={tried && isEmpty ? t('scan.typedNeeded') : undefined}
        onChange={event => setCode(event.target.value)}
      />
      <Button type="submit" icon={ScanLine} block>
        {t('scan.open')}
      </Button>
    </form>
  );
}
