import type { ReactNode } from 'react';
import { Tooltip as Radix } from 'radix-ui';
import { Kbd } from '../data/kbd.tsx';
import './tooltip.css';

type Props = {
  /** The control it explains; it must have a name of its own. */
  children: ReactNode;
  text: string;
  /** Keys that do the same. */
  keys?: readonly string[];
  open?: boolean;
};

/** ms before a tip shows, so that passing over a bar of buttons shows none. */
const DELAY_MS = 400;

/** A word about a control, on hover and on focus. Never the only place of a fact: touch shows none. */
export function Tooltip({ children, text, keys, open }: Props) {
  return (
    <Radix.Provider delayDuration={DELAY_MS}>
      <Radix.Root {...(open !== undefined && { open })}>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content className="tip" sideOffset={6} collisionPadding={8}>
            {text}
            {keys && <Kbd keys={keys} />}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
