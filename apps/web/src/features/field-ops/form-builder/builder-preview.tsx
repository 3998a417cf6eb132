import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { inLanguage } from '@cairn/core/forms/definition/words.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { HeldFiles } from '../../../shared/media/use-picture.ts';
import type { SaveWatch } from '../answers/answer-drafts.ts';
import { RunnerScreen } from '../runner/runner-screen.tsx';
import { ScoreHead } from '../runner/score-head.tsx';
import { usePreview } from './use-preview.ts';
import { NO_FILES, type Review } from '../review/use-review.ts';

/** A form that is tried out has no reviewer, and nothing of it waits to be sent. */
const NO_REVIEW: Review = {
  trail: null,
  pending: { waits: false, late: null, files: NO_FILES },
  mayReview: false,
  isLeftToOthers: false,
  commentsOn: () => null,
  decide: async () => {},
  close: async () => {},
};

/** Nothing said here is kept. */
const NOT_KEPT: SaveWatch = { subscribe: () => () => {}, state: () => 'preview' };

type Props = { compiled: CompiledForm; onClose: () => void };

/** The form as the field hand will see it: the real runner, with answers that are kept nowhere. */
export function BuilderPreview({ compiled, onClose }: Props) {
  const { t } = useTranslation('builder');
  const { user } = useSignedIn();
  const preview = usePreview(compiled);
  const [round, setRound] = useState(0);
  const [finished, setFinished] = useState(false);
  const { form, language } = preview;
  const again = () => {
    preview.restart();
    setFinished(false);
    setRound(before => before + 1);
  };
  return (
    <HeldFiles value={preview.files}>
      <div className="builder-preview">
        <Banner
          tone="accent"
          title={t('preview.title')}
          action={
            <>
              <Button size="sm" onClick={onClose}>
                {t('preview.close')}
              </Button>
              <Button size="sm" onClick={again}>
                {t('preview.again')}
              </Button>
            </>
          }
        >
          {t('preview.text')}
        </Banner>
        {finished ? (
          <div className="foot-room report">
            <ScoreHead
              level={1}
              title={t('preview.finished')}
              percent={form.score.percent}
              result={form.score.result}
              line={t('preview.actions', { count: form.questions.filter(each => each.followUp?.action).length })}
            />
          </div>
        ) : (
          <RunnerScreen
            key={round}
            title={inLanguage(compiled.form.title, language)}
            form={form}
            mustSign={compiled.form.sign}
            signer={user.fullName ?? user.email}
            language={language}
            save={NOT_KEPT}
            acts={preview.acts}
            finish={{ run: () => setFinished(true), busy: false, failure: null }}
            review={NO_REVIEW}
            subject={{ status: 'in_progress', aboutOneself: false }}
            renderSyncLink={() => null}
            onDiscard={null}
            onClose={onClose}
          />
        )}
      </div>
    </HeldFiles>
  );
}
