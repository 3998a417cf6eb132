import { useTranslation } from 'react-i18next';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { textsIn } from '@cairn/base/texts-in.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import type { AnswerProps } from './answer-props.ts';
import { useChoices } from './use-choices.ts';
import './special-answers.css';

/** Choices in an order: each is moved up or down, with a finger or the keyboard alike. */
export function RankAnswer(props: AnswerProps) {
  const { t } = useTranslation('field');
  const { question, label, onAnswer } = props;
  const choices = useChoices(props);
  const ranked = textsIn(question.value);
  const byName = new Map(choices.map(choice => [choice.value, choice]));
  const known = ranked.flatMap(name => byName.get(name) ?? []);
  const shown = [...known, ...choices.filter(choice => !ranked.includes(choice.value))];
  const names = shown.map(choice => choice.value);

  function move(from: number, to: number) {
    const [name] = names.slice(from, from + 1);
    if (name !== undefined) onAnswer(names.toSpliced(from, 1).toSpliced(to, 0, name), 'now');
  }

  return (
    <div className="stack">
      <ol className="rank" aria-label={label}>
        {shown.map((choice, index) => (
          <li key={choice.value} className="row">
            <span className="num rank-place" aria-hidden="true">
              {ranked.length > 0 ? index + 1 : '–'}
            </span>
            {choice.picture && <img className="rank-picture" src={choice.picture} alt="" />}
            <span className="grow">{choice.label}</span>
            <IconButton
              icon={ArrowUp}
              label={t('rank.up', { name: choice.label })}
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            />
            <IconButton
              icon={ArrowDown}
              label={t('rank.down', { name: choice.label })}
              disabled={index === shown.length - 1}
              onClick={() => move(index, index + 1)}
            />
          </li>
        ))}
      </ol>
      {ranked.length === 0 && <Button onClick={() => onAnswer(names, 'now')}>{t('rank.keep')}</Button>}
    </div>
  );
}
