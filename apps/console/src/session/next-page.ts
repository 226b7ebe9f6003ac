import { useRouter } from '@tanstack/react-router';

const CONSOLE = /^\/console(\/|$)/;
/** The pages that send an operator to the login: those of the console, and Bull Board. */
const OWN_PAGES = /^\/(console|queues)(\/|$)/;
/** Stands for this service. Nothing is ever requested from it. */
const BASE = 'https://portage.invalid';

/**
 * The page to go to after a login, as the browser will read it; undefined for an address that is no page of this service.
 * The address is parsed before it is judged, because a browser drops tabs and line breaks, and reads `\` as `/`.
 */
export function asNextPage(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/') || !URL.canParse(value, BASE)) return undefined;
  const { origin, pathname, search, hash } = new URL(value, BASE);
  return origin === BASE && OWN_PAGES.test(pathname) ? `${pathname}${search}${hash}` : undefined;
}

/** Goes to the page that needed a login: one of the console, or one outside of it such as Bull Board. */
export function useGoToNextPage(): (next: string | undefined) => void {
  const { history } = useRouter();
  return (next = '/console/') => {
    if (CONSOLE.test(next)) history.push(next);
    else window.location.assign(next);
  };
}
