import { QueryCache, QueryClient, MutationCache } from '@tanstack/react-query';
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

/** Refusals are final; everything else may be a short outage. */
const shouldRetry = (failures: number, error: unknown): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status < 500);

/** Forgets what was read and changed with a session. How to sign in stays: the login page shows it. */
export function forgetSession(): void {
  queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'sign-in-methods' });
  queryClient.getMutationCache().clear();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleError }),
  mutationCache: new MutationCache({ onError: handleError }),
  defaultOptions: {
    queries: { retry: shouldRetry, staleTime: 2_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
