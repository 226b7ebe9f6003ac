import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError, isSignedOut } from './api-error';

type SignedOutListener = () => void;
let onSignedOut: SignedOutListener = () => undefined;

/** Sets what happens when an answer says that the session has ended. */
export function whenSignedOut(listener: SignedOutListener): void {
  onSignedOut = listener;
}

function handleError(error: unknown): void {
  if (isSignedOut(error)) onSignedOut();
}

/** The interval at which figures are read, while the page is visible. */
export const POLL_MS = 2_000;

/** The interval at which a page that could not be read tries again by itself. */
const TRY_AGAIN_MS = 5_000;

/** Options of a query that is read at intervals: the next read is its retry. */
export const polled = { refetchInterval: POLL_MS, retry: false } as const;

/** Refusals are final; everything else may be an outage. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

/** Forgets what was read and changed with a session. How to sign in stays: the login page shows it. */
export function forgetSession(): void {
  queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'sign-in-methods' });
  queryClient.getMutationCache().clear();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleError }),
  mutationCache: new MutationCache({ onError: handleError }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && !isRefusal(error),
      refetchInterval: ({ state: { error } }) => (error !== null && !isRefusal(error) ? TRY_AGAIN_MS : false),
      staleTime: POLL_MS,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

/** Reads the queries again whose keys begin with one of these. */
export function renew(...keys: readonly QueryKey[]): void {
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
}
