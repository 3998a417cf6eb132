import type { ReactNode } from 'react';
import { Accordion as Radix } from 'radix-ui';
import { ChevronDown } from 'lucide-react';
import { Icon } from '../controls/icon.tsx';
import './accordion.css';

export type AccordionItem = { value: string; title: ReactNode; detail?: ReactNode; content: ReactNode };

type Props = {
  folds: readonly AccordionItem[];
  /** Which stand open at first. */
  open?: readonly string[];
  /** Heading level of the titles. */
  level?: 2 | 3 | 4;
};

/** Parts that open and close each on its own. */
export function Accordion({ folds, open = [], level = 3 }: Props) {
  const Heading = `h${level}` as const;
  return (
    <Radix.Root type="multiple" defaultValue={[...open]} className="folds">
      {folds.map(fold => (
        <Radix.Item key={fold.value} value={fold.value} className="fold">
          <Radix.Header asChild>
            <Heading>
              <Radix.Trigger className="fold-head">
                <span className="grow">
                  {fold.title}
                  {fold.detail && <span className="fold-detail">{fold.detail}</span>}
                </span>
                <Icon of={ChevronDown} />
              </Radix.Trigger>
            </Heading>
          </Radix.Header>
          <Radix.Content className="fold-body">
            <div>{fold.content}</div>
          </Radix.Content>
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
