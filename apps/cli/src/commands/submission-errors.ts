import { PortageError } from '@portage/platform';

/** Awaits work about a submission. @throws PortageError `operation_refused` if there is no such submission */
export async function refuseUnknown<T>(id: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PortageError && error.code === 'not_found')
      throw new PortageError(
        'operation_refused',
        `There is no submission ${id}. List them with: submission list`,
      );
    throw error;
  }
}
