import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { rowClass } from '@cairn/ui/layout/surface.tsx';
import { QuestionComments } from '../../features/comments/question-comments.tsx';
import { InspectionScreen } from '../../features/field-ops/inspection-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { FindingsOf } from './findings.tsx';

export const texts = loadTexts('field', 'review', 'findings', 'comments', 'capture', 'maps', 'presence');

export function InspectionRoute() {
  const { inspectionId } = useParams({ from: '/signed-in/field/$inspectionId' });
  const { start = false } = useSearch({ from: '/signed-in/field/$inspectionId' });
  const navigate = useNavigate();
  return (
    <>
      <InspectionScreen
        inspectionId={inspectionId}
        startAtOnce={start}
        // The wish is used up: neither a reload nor the way back may start anything again.
        onStarting={() => void navigate({ to: '/field/$inspectionId', params: { inspectionId }, replace: true })}
        onClose={() => void navigate({ to: '/field' })}
        renderSyncLink={words => (
          <Link to="/sync" className={buttonClass({ size: 'sm' })}>
            {words}
          </Link>
        )}
        renderComments={at => <QuestionComments inspectionId={inspectionId} {...at} />}
        renderAction={(actionId, face) => (
          <Link to="/action-items/$actionId" params={{ actionId }} className={rowClass}>
            {face}
          </Link>
        )}
      />
      <FindingsOf target={{ table: 'inspections', id: inspectionId }} />
    </>
  );
}
