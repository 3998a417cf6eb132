import { useParams } from '@tanstack/react-router';
import { GUEST_LIMITS } from '@cairn/core/guests/guest-reply.ts';
import { GuestScreen } from '../../features/guests/guest-screen.tsx';
import type { RenderPhotos } from '../../features/guests/guest-form.tsx';
import { PhotoTaker } from '../../features/issue-reports/photo-taker.tsx';
import { captureForVisitor } from '../../features/issue-reports/visitor-photo.ts';
import '../../features/issue-reports/reports.css';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { visitorCalls } from '../session/client/visitor-calls.ts';
import '../../shared/page/public-page.css';

// Photos are taken as for a report by a public code.
export const texts = loadTexts('guest', 'issueReports');

const renderPhotos: RenderPhotos = (photos, onChange) => (
  <PhotoTaker photos={photos} most={GUEST_LIMITS.photos} capture={captureForVisitor} onChange={onChange} />
);

/** `/guest/<token>`, outside the frame of a signed-in person: for whoever was given one action item from outside. */
export function GuestRoute() {
  const { token } = useParams({ from: '/guest/$token' });
  return (
    <main className="public-page">
      {/* What is asked of one person belongs into no search engine. */}
      <meta name="robots" content="noindex" />
      <GuestScreen key={token} token={token} calls={visitorCalls} renderPhotos={renderPhotos} />
    </main>
  );
}
