import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { waitingReplies, type WaitingReply } from './waiting-replies.ts';

type Props = { words: readonly WaitingReply[]; onSend: () => void };

/** What was said on this phone and has not arrived. */
export function GuestWaiting({ words, onSend }: Props) {
  return (
    <div aria-live="polite" className="parts guest-waiting">
      {words.map(word => (
        <Waiting key={word.key} word={word} onSend={onSend} />
      ))}
    </div>
  );
}

function Waiting({ word, onSend }: { word: WaitingReply; onSend: () => void }) {
  const { t } = useTranslation('guest');
  const refused = word.photos.filter(({ state }) => state === 'refused').length;
  const forget = (
    <Button variant="plain" onClick={() => void waitingReplies.forget(word.key)}>
      {t('waiting.forget')}
    </Button>
  );
  if (word.state === 'sent' && refused > 0)
    return (
      <Banner tone="warn" title={t('waiting.photosRefused', { count: refused })}>
        {forget}
      </Banner>
    );
  const isLost = word.state === 'closed' || word.state === 'refused';
  return (
    <Card className="stack" label={t('waiting.title')}>
      <div className="row wrap">
        <StatusChip state={isLost ? 'failed' : 'waiting'}>{t(isLost ? 'waiting.notSent' : 'waiting.waits')}</StatusChip>
        <span>{t(`act.${word.body.act}`)}</span>
      </div>
      {word.body.text !== undefined && <p className="guest-words">{word.body.text}</p>}
      <p className="sm muted">{t(isLost ? 'waiting.lostText' : 'waiting.waitsText')}</p>
      <div className="row wrap">{isLost ? forget : <Button onClick={onSend}>{t('waiting.now')}</Button>}</div>
    </Card>
  );
}
