import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ImagePlus } from 'lucide-react';
import { missingPictures, pictureKey, withPictures } from '@cairn/core/forms/definition/form-pictures.ts';
import type { FormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import type { FormPicture } from '@cairn/core/forms/definition/form-pictures.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { formPicture } from '../answers/form-picture.ts';

/** A picture that came with a form or was picked for it. */
export type PickedPicture = { name: string; content: Blob };

/** The form with those of its pictures that are here, each made as small as a choice needs it. */
export async function formWithPictures(
  form: FormDefinition,
  picked: readonly PickedPicture[],
): Promise<{ form: FormDefinition; pictures: FormPicture[] }> {
  const wanted = new Set(missingPictures(form).map(pictureKey));
  const byName = new Map(picked.map(picture => [pictureKey(picture.name), picture]));
  const found = [...byName].filter(([key]) => wanted.has(key));
  const pictures: FormPicture[] = [];
  for (const [key, { content }] of found) pictures.push(await formPicture(content, key));
  return { form: withPictures(form, pictures), pictures };
}

type Props = { form: FormDefinition; picked: readonly PickedPicture[]; onPick: (files: readonly File[]) => void };

/** What the choices of an imported form show: the pictures that came along, and a way to add those that did not. */
export function ImportPictures({ form, picked, onPick }: Props) {
  const { t } = useTranslation('builder');
  const id = useId();
  const here = new Set(picked.map(({ name }) => pictureKey(name)));
  const names = missingPictures(form);
  const missing = names.filter(name => !here.has(pictureKey(name)));
  if (names.length === 0) return null;
  return (
    <Banner
      tone={missing.length > 0 ? 'warn' : 'good'}
      title={t('pictures', { count: names.length, here: names.length - missing.length })}
    >
      {missing.length > 0 && (
        <>
          <p>{t('picturesMissing', { names: missing.slice(0, 12).join(', ') })}</p>
          <label className="import-pick" htmlFor={id}>
            <input
              id={id}
              type="file"
              multiple
              className="sr"
              accept="image/*"
              onChange={event => {
                // Live: emptied below.
                const files = [...(event.target.files ?? [])];
                event.target.value = '';
                onPick(files);
              }}
            />
            <Icon of={ImagePlus} />
            <span>{t('picturesAdd')}</span>
          </label>
        </>
      )}
    </Banner>
  );
}
