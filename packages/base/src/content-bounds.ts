/**
 * How much of anything others read may be: one list for devices and server. `content.bound` of the database knows each by its name
 * here (`supabase/tests/content-bounds.test.ts` holds them together).
 */
export const CONTENT_BOUNDS = {
  /** Characters of a Markdown text, with the bytes of pictures in it. */
  markdown_characters: 400_000,
  markdown_lines: 20_000,
  /** Columns a line is indented by, a tab being four: two or more for each list in another. */
  markdown_indent: 100,
  /** Marks of quotes and list items at the beginning of one line. */
  markdown_nesting: 20,
  /** The same character again and again, of those that mark something up. */
  markdown_run: 200,
  /** Cells of tables: columns of the widest row times rows, of all tables. */
  markdown_cells: 20_000,
  /**
   * Characters of a paragraph times the marks in it, and its lines times its lines, of all paragraphs: what a parser that looks for
   * the end of each mark, and puts a list together line by line, has to look at. About 50 ns each on a small computer.
   */
  markdown_work: 20_000_000,
  /** Bytes of a form as the server writes it (`jsonbBytes`). */
  form_bytes: 4_000_000,
  /** Questions, sections and repeats. */
  form_items: 5000,
  /** Characters of a question's or section's name. */
  form_name_characters: 200,
  /** Sections in sections. */
  form_nesting: 30,
  /** Repeats in repeats: what is asked in each entry of each. */
  form_repeat_nesting: 4,
  /** Characters of one expression, and `${names}` in it. */
  form_expression_characters: 10_000,
  form_expression_references: 500,
  /** The same over all expressions of a form. */
  form_expressions_characters: 500_000,
  form_expressions_references: 20_000,
  /** Choices of all lists. */
  form_choices: 50_000,
  /** Characters of a pack's contents with its variables filled in. */
  pack_filled_characters: 2_000_000,
} as const;
