const ID = /^[1-9]\d{0,17}$/;

/** True if the text may be the id of a submission. A longer number would exceed the column. */
export function isSubmissionId(text: string): boolean {
  return ID.test(text);
}
