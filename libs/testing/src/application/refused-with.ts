import { PortageError } from '@portage/platform';

/** The code of the error that `work` fails with, or `attr code` of each error of an invalid body. */
export async function refusedWith(work: Promise<unknown>): Promise<string | string[]> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof PortageError)) throw error;
    if (error.code !== 'validation_error') return error.code;
    const errors = error.members['errors'] as { attr: string; code: string }[];
    return errors.map(({ attr, code }) => `${attr} ${code}`);
  }
  throw new Error('The call did not fail.');
}
