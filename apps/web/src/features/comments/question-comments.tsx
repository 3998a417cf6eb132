import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MessageSquare } from 'lucide-react';
import { Button } from '@cairn/ui/controls/button.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentList } from './comment-list.tsx';
import { useThread } from './use-thread.ts';
import './comments.css';

type Props = {
  inspectionId: string;
  /** Path of the question; null for the whole inspection. */
  question: string | null;
  /** What is commented on, for screen readers. */
  about: string;
  mayWrite: boolean;
};

/** What was said at one question of an inspection, and the place to say something; with no signal too. */
export function QuestionComments({ inspectionId, question, about, mayWrite }: Props) {
  const { t } = useTranslation('comments');
  const talk = useThread({ table: 'inspections', id: inspectionId }, question);
  const [writing, setWriting] = useState(false);
  const comments = talk.found?.comments.filter(comment => comment.question === question) ?? [];
  if (comments.length === 0 && !mayWrite) return null;
  return (
    <section className="question-comments" aria-label={t('label', { about })}>
      {comments.length > 0 && <CommentList comments={comments} talk={talk} mayWrite={mayWrite} />}
      {mayWrite && !writing && (
        <Button size="sm" variant="plain" icon={MessageSquare} onClick={() => setWriting(true)}>
          {t(comments.length > 0 ? 'reply' : 'add')}
        </Button>
      )}
      {writing && (
        <CommentForm
          people={talk.found?.people ?? []}
          takesFiles
          onSend={async written => {
            await talk.say(written);
            setWriting(false);
          }}
          onCancel={() => setWriting(false)}
        />
      )}
    </section>
  );
}
