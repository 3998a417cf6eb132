import type { ReactNode } from 'react';
import { BrandMark } from '@cairn/ui/feedback/stone.tsx';
import { SignInArt } from './sign-in-art.tsx';
import './sign-in.css';

type Props = { title: string; subtitle?: ReactNode; children: ReactNode };

/** Every page of somebody who is not in yet: the picture, the name, one question. */
export function AuthFrame({ title, subtitle, children }: Props) {
  return (
    <div className="split">
      <SignInArt />
      <main className="sign-in">
        <div className="box">
          <p className="brand small">
            <BrandMark />
            <span>Cairn</span>
          </p>
          <h1>{title}</h1>
          {subtitle && <p className="muted">{subtitle}</p>}
          {children}
        </div>
      </main>
    </div>
  );
}
