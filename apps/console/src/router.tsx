import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { isSignedOut } from './api/api-error';
import { queryClient, whenSignedOut } from './api/query-client';
import { Empty, Failure, Loading } from './design/feedback';
import { Shell } from './layout/shell';
import { OverviewPage } from './overview/overview-page';
import { ChangePasswordPage } from './session/change-password-page';
import { LoginPage } from './session/login-page';
import { sessionQuery } from './session/session';

const asText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
};

/** A place in the console to go back to. Another origin would be an open redirect. */
const asPlace = (value: unknown): string | undefined => {
  const place = asText(value);
  return place !== undefined && /^\/(?![/\\])/.test(place) ? place : undefined;
};

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <Empty icon="search" title="There is no such page">
      Use the navigation to go on.
    </Empty>
  ),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search): { back?: string | undefined; reason?: string | undefined } => ({
    back: asPlace(search['back']),
    reason: asText(search['reason']),
  }),
  component: LoginPage,
});

const changePassword = createRoute({
  getParentRoute: () => root,
  path: '/change-password',
  validateSearch: (search): { back?: string | undefined } => ({ back: asPlace(search['back']) }),
  beforeLoad: async ({ location }) => requireSession(location.href),
  component: ChangePasswordPage,
});

async function requireSession(back: string) {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how the router is told to go elsewhere
    if (isSignedOut(error)) throw redirect({ to: '/login', search: back === '/' ? {} : { back } });
    throw error;
  }
}

/** Everything that needs a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const { operator } = await requireSession(location.href);
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how the router is told to go elsewhere
    if (operator.must_change_password) throw redirect({ to: '/change-password', search: { back: location.href } });
  },
  component: Shell,
});

const overview = createRoute({ getParentRoute: () => signedIn, path: '/', component: OverviewPage });

export const router = createRouter({
  routeTree: root.addChildren([login, changePassword, signedIn.addChildren([overview])]),
  basepath: '/console',
  trailingSlash: 'preserve',
  defaultPreload: false,
  defaultPendingComponent: () => <Loading />,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
  scrollRestoration: false,
});

// A session that has ended: sign in, then come back to the same place.
whenSignedOut(() => {
  const { pathname, href } = router.state.location;
  if (pathname === '/login') return;
  void router.navigate({ to: '/login', search: { back: href, reason: 'expired' } }).then(() => {
    queryClient.clear();
  });
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
