import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChevronLeft, Copy, Trash2 } from 'lucide-react';
import type { Group } from '@cairn/core/forms/definition/form-definition.ts';
import { choosesFromList, type QuestionType } from '@cairn/core/forms/question-types/question-types.ts';
import {
  addItem,
  duplicateNode,
  findNode,
  type Outline,
  type OutlineNode,
  putNode,
  removeNode,
  type Spot,
} from '@cairn/core/forms/draft/form-outline.ts';
import { addList, newQuestion, newSection } from '@cairn/core/forms/draft/new-question.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { AddPane } from './add-pane.tsx';
import { FormSettings } from './form-settings.tsx';
import { QuestionEditor } from './question-editor.tsx';
import { SectionEditor } from './section-editor.tsx';
import type { Builder } from './use-builder.ts';

/** What is edited beside the list. `spot` null: at the end of the form. */
export type Pane =
  | { kind: 'node'; key: string; isNew: boolean }
  | { kind: 'form' }
  | { kind: 'add'; spot: Spot | null };

type Props = { builder: Builder; pane: Pane | null; setPane: (pane: Pane | null) => void };

/** One question, one section, the form itself, or what could be added. */
export function EditorPane({ builder, pane, setPane }: Props) {
  const { t } = useTranslation('builder');
  const node = pane?.kind === 'node' ? findNode(builder.outline, pane.key)?.node : undefined;
  if (!pane || (pane.kind === 'node' && !node)) {
    return (
      <section className="builder-editor is-empty" aria-label={t('editor')}>
        <p className="muted">{t('chooseOne')}</p>
      </section>
    );
  }
  if (pane.kind === 'form') {
    return (
      <Frame key="form" title={t('settings')} onBack={() => setPane(null)}>
        <FormSettings {...builder} />
      </Frame>
    );
  }
  if (pane.kind === 'add') {
    return (
      <Frame key="add" title={t('add.title')} onBack={() => setPane(null)}>
        <AddPane
          onAdd={type => setPane(added(builder, pane.spot, type))}
          onAddSection={type => setPane(addedSection(builder, pane.spot, type))}
        />
      </Frame>
    );
  }
  if (!node) return null;
  const parts = { ...builder, nodeKey: node.key, isNew: pane.isNew };
  return (
    <Frame
      key={node.key}
      title={t(node.kind === 'question' ? 'question.title' : 'section.title')}
      onBack={() => setPane(null)}
      takesFocus={!pane.isNew}
      acts={<NodeActs builder={builder} node={node} setPane={setPane} />}
    >
      {node.kind === 'question' ? (
        <QuestionEditor {...parts} question={node.question} />
      ) : (
        <SectionEditor {...parts} section={node.section} />
      )}
    </Frame>
  );
}

type FrameProps = {
  title: string;
  onBack: () => void;
  takesFocus?: boolean;
  acts?: ReactNode;
  children: ReactNode;
};

function Frame({ title, onBack, takesFocus = false, acts, children }: FrameProps) {
  const { t } = useTranslation('builder');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <section className="builder-editor" aria-label={t('editor')}>
      <div className="builder-editor-head">
        <Button className="builder-back" variant="plain" size="sm" icon={ChevronLeft} onClick={onBack}>
          {t('allQuestions')}
        </Button>
        <h2 className="h2 grow" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {acts}
      </div>
      {children}
    </section>
  );
}

const atEnd = (outline: Outline): Spot => ({ parent: null, index: outline.nodes.length });

function added(builder: Builder, spot: Spot | null, type: QuestionType): Pane {
  let key = '';
  builder.edit(before => {
    const made = choosesFromList(type) ? addList(before) : { outline: before, list: undefined };
    const put = addItem(made.outline, newQuestion(made.outline, type, made.list), spot ?? atEnd(before));
    ({ key } = put);
    return put.outline;
  });
  return { kind: 'node', key, isNew: true };
}

function addedSection(builder: Builder, spot: Spot | null, type: Group['type']): Pane {
  let key = '';
  builder.edit(before => {
    const put = addItem(before, newSection(before, type), spot ?? atEnd(before));
    ({ key } = put);
    return put.outline;
  });
  return { kind: 'node', key, isNew: true };
}

type ActsProps = { builder: Builder; node: OutlineNode; setPane: (pane: Pane | null) => void };

function NodeActs({ builder, node, setPane }: ActsProps) {
  const { t } = useTranslation('builder');
  const copy = () => {
    let key = node.key;
    builder.edit(before => {
      const made = duplicateNode(before, node.key);
      if (made) ({ key } = made);
      return made?.outline ?? before;
    });
    setPane({ kind: 'node', key, isNew: true });
  };
  const remove = () => {
    let back: ((outline: Outline) => Outline) | null = null;
    builder.edit(before => {
      const without = removeNode(before, node.key);
      if (!without) return before;
      const { removed } = without;
      back = outline => putNode(outline, removed.node, removed.spot);
      return without.outline;
    });
    setPane(null);
    const undo = { label: t('undo'), onPress: () => back && builder.edit(back) };
    toast({ title: t(node.kind === 'question' ? 'question.removed' : 'section.removed'), action: undo });
  };
  return (
    <>
      <Button size="sm" variant="plain" icon={Copy} onClick={copy}>
        {t('duplicate')}
      </Button>
      <Button size="sm" variant="danger-quiet" icon={Trash2} onClick={remove}>
        {t('delete')}
      </Button>
    </>
  );
}
