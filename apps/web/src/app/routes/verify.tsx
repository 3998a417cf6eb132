import { useNavigate, useParams } from '@tanstack/react-router';
import { VerifyScreen } from '../../features/policies/acknowledge/verify-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { visitorCalls } from '../session/client/visitor-calls.ts';
import '../../shared/page/public-page.css';

export const texts = loadTexts('verify');

/** `/verify/<code>`, outside the frame of a signed-in person: for whoever was handed a certificate. */
export function VerifyRoute() {
  const { code } = useParams({ from: '/verify/$code' });
  const navigate = useNavigate();
  return (
    <main className="public-page">
      {/* Names of people belong into no search engine. */}
      <meta name="robots" content="noindex" />
      <VerifyScreen
        key={code}
        code={code}
        calls={visitorCalls}
        onCode={other => void navigate({ to: '/verify/$code', params: { code: other } })}
      />
    </main>
  );
}
