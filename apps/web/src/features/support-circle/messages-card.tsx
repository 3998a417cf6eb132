import { useState } from 'react';
import { Send } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { MAX_MESSAGE_LENGTH, say } from '@cairn/core/support-circle/grants.ts';
import type { CirclePage } from '@cairn/core/support-circle/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { emptied } from '../../shared/input/emptied.ts';
import { formatDay, formatTime } from '../../shared/format/format.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

const SHOWN = 30;

/** Nudges and replies of two people; written offline they go with the next signal. */
export function MessagesCard({ page: { relationship, messages }, other }: { page: CirclePage; other: string }) {
  const { t } = useTranslation('circle');
  const store = useStore();
  const { user } = useSignedIn();
  const [body, setBody] = useState('');
  const sending = useAction(async (words: string) => {
    const message = { id: newId(), relationshipId: relationship.id, fromId: user.id, body: words };
    await store.write('support-circle.say', tx => say(tx, { ...message, at: new Date().toISOString() }));
    setBody(emptied(words));
  });
  const isActive = relationship.state === 'active';
  return (
    <Card label={t('messages.title')} className="parts">
      <h2 className="h2">{t('messages.title')}</h2>
      {messages.length === 0 && <p className="muted sm">{t('messages.none', { name: other })}</p>}
      <ol className="circle-messages">
        {messages.slice(-SHOWN).map(message => {
          const at = new Date(message.written_at);
          return (
            <li key={message.id} data-mine={message.from_id === user.id ? '' : undefined}>
              <p>{message.body}</p>
              <p className="muted xs">
                {message.from_id === user.id ? t('messages.you') : other} · {formatDay(at)}, {formatTime(at)}
              </p>
            </li>
          );
        })}
      </ol>
      {isActive && (
        <form
          className="parts"
          onSubmit={event => {
            event.preventDefault();
            sending.run(body);
          }}
        >
          <Textarea
            label={t('messages.write', { name: other })}
            value={body}
            maxLength={MAX_MESSAGE_LENGTH}
            rows={2}
            onChange={event => setBody(event.target.value)}
          />
          <FailureLine failure={sending.failure} />
          <Button type="submit" icon={Send} busy={sending.busy} disabled={body.trim() === ''}>
            {t('messages.send')}
          </Button>
        </form>
      )}
    </Card>
  );
}
