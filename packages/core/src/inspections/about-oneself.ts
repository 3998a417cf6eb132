import type { Row } from '@cairn/schema';

/** What marks a form of a private space as one that is answered about oneself now and then. */
export const ABOUT_ONESELF = 'wellness';

type Form = Pick<Row<'forms'>, 'category'> | undefined;
type Organization = Pick<Row<'organizations'>, 'kind'> | undefined;

/** Whether answers are about the person themselves: they have a score, and nobody passes, fails or approves them. */
export const isAboutOneself = (form: Form, organization: Organization): boolean =>
  form?.category === ABOUT_ONESELF && organization?.kind === 'private';
