import { useTranslation } from 'react-i18next';
import { BrandMark } from '@cairn/ui/stone.tsx';

/** The picture beside the form on wide screens: a cairn in its landscape, and what the product promises. */
export function SignInArt() {
  const { t } = useTranslation('auth');
  return (
    <aside className="pane">
      <svg className="art" viewBox="0 0 720 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <path className="way" d="M742 880C660 850 706 786 628 752S500 716 486 652 484 622 474 600" />
        <g transform="translate(427 480) scale(.82) translate(-427 -480)">
          <ellipse className="shade" cx="440" cy="588" rx="150" ry="13" />
          <path
            className="s1"
            d="M300 552c0-26 30-40 122-42 88-2 134 10 138 38 3 26-36 40-128 40-90 0-132-12-132-36Z"
          />
          <path className="s2" d="M332 474c-2-26 28-42 92-43 66-1 98 12 99 38 1 25-30 39-94 40-62 1-95-10-97-35Z" />
          <path className="s3" d="M368 392c0-30 22-48 58-48 37 0 58 17 58 44 0 26-21 41-56 42-37 1-60-12-60-38Z" />
        </g>
      </svg>
      <p className="brand">
        <BrandMark />
        <span>Cairn</span>
      </p>
      <p className="promise">
        {t('line1')}
        <br />
        {t('line2')}
      </p>
    </aside>
  );
}
