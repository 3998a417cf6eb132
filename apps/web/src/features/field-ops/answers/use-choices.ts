import { useTranslation } from 'react-i18next';
import { type Choice, inLanguage } from '@cairn/core/forms/definition/form-definition.ts';
import { formPictures } from '@cairn/core/forms/definition/form-pictures.ts';
import { offeredChoices } from '@cairn/core/forms/answers/offered-choices.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import type { AnswerProps } from './answer-props.ts';
import { pictureUrl } from '../../../shared/media/small-picture.ts';

/** What a question offers now, for the controls that choose. */
export function useChoices({ question, values, language }: Pick<AnswerProps, 'question' | 'values' | 'language'>) {
  const { t } = useTranslation('field');
  const offered = offeredChoices(question.item, question.place, values);
  const pictures = usePictures(offered);
  return offered.map(choice => {
    const unnamed = choice.name === 'other' && question.question.or_other ? t('runner.other') : choice.name;
    const picture = pictures.get(choice.picture ?? '');
    return {
      value: choice.name,
      label: inLanguage(choice.label, language) || unnamed,
      ...(picture !== undefined && { picture }),
    };
  });
}

const NONE: ReadonlyMap<string, string> = new Map();

/** What an `<img>` shows for each of these choices that has a picture on this device, by the picture's id. */
export function usePictures(choices: readonly Choice[]): ReadonlyMap<string, string> {
  const ids = choices.flatMap(({ picture }) => picture ?? []);
  const found = useLive(ids.length > 0 ? formPictures(ids) : null);
  if (found.status === 'loading') return NONE;
  return new Map([...found.answer].map(([id, row]) => [id, pictureUrl(row)]));
}
