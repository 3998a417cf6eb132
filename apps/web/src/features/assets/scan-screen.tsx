import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Camera, ImageUp, ScanLine } from 'lucide-react';
import { assetByCode } from '@cairn/core/assets/queries.ts';
import { codeIn } from '@cairn/core/assets/scanned-code.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { Button, buttonClass } from '@cairn/ui/button.tsx';
import { Input } from '@cairn/ui/field.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { useSpace } from '../../shared/space.ts';
import { useCamera, type CameraState } from './use-camera.ts';
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
  const { may } = useSpace();
  const [outcome, setOutcome] = useState<Outcome>(null);
  const lookUp = useLookUp(onFound, setOutcome);
  const { state, attach, start: startCamera } = useCamera(lookUp);
  const start = () => {
    setOutcome(null);
    startCamera();
  };
  return (
    <div className="assets">
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
          <Banner tone="warn" title={t('scan.unread')}>
            {t('scan.unreadText')}
          </Banner>
        )}
      </div>
      <div className="scan-ways">
        <Card label={t('scan.camera')}>
          <CameraPart state={state} onStart={start} video={<video ref={attach} muted playsInline />} />
        </Card>
        <Card label={t('scan.otherWays')} className="stack">
          <TypedPart onTyped={lookUp} />
          <PhotoPart onRead={lookUp} onUnread={() => setOutcome({ kind: 'unread' })} />
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

type CameraProps = { state: CameraState; onStart: () => void; video: ReactNode };

function CameraPart({ state, onStart, video }: CameraProps) {
  const { t } = useTranslation('assets');
  const isOn = state === 'asking' || state === 'live';
  return (
    <div className="stack">
      {isOn && (
        <>
          <div className="scan-view">
            {video}
            <span className="scan-frame" aria-hidden="true" />
          </div>
          <output className="sm muted">{t(state === 'live' ? 'scan.live' : 'scan.asking')}</output>
        </>
      )}
      {!isOn && (
        <>
          {state === 'idle' && <p className="sm muted">{t('scan.idle')}</p>}
          {state !== 'idle' && (
            <Banner tone="warn" title={t(`scan.${state}`)}>
              {t(`scan.${state}Text`)}
            </Banner>
          )}
          <Button variant="primary" size="lg" block icon={Camera} onClick={onStart}>
            {t(state === 'idle' ? 'scan.start' : 'scan.again')}
          </Button>
        </>
      )}
    </div>
  );
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

type PhotoProps = { onRead: (text: string) => void; onUnread: () => void };

/** A photo of the code: for a camera the browser may not use, and for a picture somebody sent. */
function PhotoPart({ onRead, onUnread }: PhotoProps) {
  const { t } = useTranslation('assets');
  const id = useId();
  const [isReading, setReading] = useState(false);
  const [bug, setBug] = useState<{ error: unknown } | null>(null);
  if (bug) throw bug.error;
  const read = (file: File | undefined) => {
    if (!file) return;
    setReading(true);
    codeOf(file).then(
      text => {
        setReading(false);
        if (text === null) onUnread();
        else onRead(text);
      },
      (error: unknown) => setBug({ error }),
    );
  };
  return (
    <label className={`${buttonClass({ block: true })} scan-photo`} htmlFor={id}>
      <input
        id={id}
        className="sr"
        type="file"
        accept="image/*"
        onChange={event => {
          read(event.target.files?.[0]);
          // The same picture may be tried again.
          event.target.value = '';
        }}
      />
      <Icon of={ImageUp} />
      <span>{t(isReading ? 'scan.reading' : 'scan.photo')}</span>
    </label>
  );
}

async function codeOf(file: File): Promise<string | null> {
  // What is no picture holds no code; the screen says so.
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return null;
  try {
    const { readCode } = await import('./read-code.ts');
    return await readCode(picture);
  } finally {
    picture.close();
  }
}
