import type { Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import type { Choice, FormDefinition } from './form-definition.ts';

/** px of the longer side, and bytes of JPEG, at most: every device of an organisation carries all pictures of its forms. */
export const PICTURE_SIDE = 400;
export const MAX_PICTURE_BYTES = 45_000;

/** A small picture as it is kept. */
export type FormPicture = {
  /** A fresh id. */
  id: string;
  /** Of the file it came from; what XLSForm calls `media::image`. */
  name: string;
  /** px */
  width: number;
  /** px */
  height: number;
  /** The bytes of a JPEG, base64. */
  data: string;
};

/** Keeps pictures for the choices of an organisation's forms. Run it in the write that makes a form name them, or before. */
export async function addFormPictures(
  tx: WriteTx,
  { organizationId, pictures }: { organizationId: string; pictures: readonly FormPicture[] },
): Promise<void> {
  for (const picture of pictures) await tx.put('form_pictures', { ...picture, organization_id: organizationId });
}

const choicesOf = ({ choice_lists: lists }: Pick<FormDefinition, 'choice_lists'>): Choice[] =>
  Object.values(lists).flat();

/** Ids of all pictures a form shows, each once. */
export const pictureIds = (form: Pick<FormDefinition, 'choice_lists'>): string[] => [
  ...new Set(choicesOf(form).flatMap(({ picture }) => picture ?? [])),
];

/** The pictures of a form as files beside it: each by the name its choices say. */
export function pictureFiles(form: Pick<FormDefinition, 'choice_lists'>): { id: string; name: string }[] {
  const files = new Map<string, string>();
  for (const { image, picture } of choicesOf(form)) {
    if (image !== undefined && picture !== undefined) files.set(image.split(/[\\/]/).at(-1) ?? image, picture);
  }
  return [...files].map(([name, id]) => ({ id, name }));
}

/** Names of the pictures that choices of a form ask for and have not got, each once. */
export const missingPictures = (form: Pick<FormDefinition, 'choice_lists'>): string[] => [
  ...new Set(choicesOf(form).flatMap(({ image, picture }) => (image !== undefined && !picture ? [image] : []))),
];

/** Folders and the case of letters differ between computers: neither tells two pictures of a form apart. */
export const pictureKey = (name: string): string => (name.split(/[\\/]/).at(-1) ?? name).toLowerCase();

/** The form with pictures for those choices that ask for one of these names. */
export function withPictures(
  form: FormDefinition,
  pictures: readonly Pick<FormPicture, 'id' | 'name'>[],
): FormDefinition {
  const ids = new Map(pictures.map(({ id, name }) => [pictureKey(name), id]));
  const shown = (choice: Choice): Choice => {
    const id = choice.image === undefined ? undefined : ids.get(pictureKey(choice.image));
    return id === undefined ? choice : { ...choice, picture: id };
  };
  const lists = Object.entries(form.choice_lists).map(([name, choices]) => [name, choices.map(shown)] as const);
  return { ...form, choice_lists: Object.fromEntries(lists) };
}

/** Pictures on this device, by their ids; one that has not arrived is left out. */
export function formPictures(ids: readonly string[]): Query<ReadonlyMap<string, Row<'form_pictures'>>> {
  return {
    key: `field-ops/pictures/${ids.join(',')}`,
    tables: ids.length > 0 ? ['form_pictures'] : [],
    async read(tx) {
      const rows = await Promise.all(ids.map(id => tx.get('form_pictures', id)));
      return new Map(rows.flatMap(row => (row && row.deleted_at === null ? [[row.id, row] as const] : [])));
    },
  };
}
