/** The files of texts that no page needs before somebody is signed in; a list of its own, which the sign-in page does without. */
export const textFiles = import.meta.glob<Record<string, Record<string, unknown>>>([
  './{en,de}/*.ts',
  '!./{en,de}/{shell,shell-first,modules,notifications,sync,dashboard,welcome,auth,failure}.ts',
]);
