import { useRouter } from '@tanstack/react-router';

const CONSOLE = /^\/console(\/|$)/;

/** The page to go to after a login, on this host. An address on another host would be an open redirect. */
export const asNextPage = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined;

/** Goes to the page that needed a login: one of the console, or one outside of it such as Bull Board. */
export function useGoToNextPage(): (next: string | undefined) => void {
  const { history } = useRouter();
  return (next = '/console/') => {
    if (CONSOLE.test(next)) history.push(next);
    else window.location.assign(next);
  };
}
