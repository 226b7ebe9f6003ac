import { queryOptions, useQuery } from '@tanstack/react-query';
import { apiQuery, change } from '../api/client';
import type { LoginRequest, Role, SessionView, SignInMethods } from '../api/shapes';
import { queryClient } from '../api/query-client';

const RANKS: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 };

export const sessionQuery = queryOptions({
  ...apiQuery<SessionView>(['session'], '/session'),
  staleTime: 60_000,
  retry: false,
});

export const signInMethodsQuery = queryOptions({
  ...apiQuery<SignInMethods>(['sign-in-methods'], '/sign-in-methods'),
  staleTime: Infinity,
});

export async function signIn(credentials: LoginRequest): Promise<SessionView> {
  const session = await change<SessionView>('POST', '/session', credentials);
  queryClient.setQueryData(sessionQuery.queryKey, session);
  return session;
}

export const signOut = async (): Promise<void> => change('DELETE', '/session');

/** The session of this page. Pages inside of the layout have one. */
export function useSession(): SessionView {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('There is no session.');
  return data;
}

/** True if the operator's role allows what `role` allows. The API decides; pages only leave out what it would refuse. */
export function useHasRole(role: Role): boolean {
  const { data } = useQuery(sessionQuery);
  return data !== undefined && RANKS[data.operator.role] >= RANKS[role];
}
