import { describe } from './describe';

/** Describes the ways to sign in. */
export const DescribeSignInMethods = () =>
  describe({
    ...{ tag: 'Sessions', operationId: 'readSignInMethods', summary: 'How operators sign in', status: 200 },
    description: 'For the login page. It needs no session.',
    answer: 'The ways to sign in.',
    content: [
      'SignInMethods',
      {
        password: true,
        openid_connect: {
          name: 'login.example.com',
          start_url: '/operator/v1/session/openid-connect',
        },
      },
    ],
  });

/** Describes the start of a sign-in with OpenID Connect. */
export const DescribeStartSignIn = () =>
  describe({
    ...{ tag: 'Sessions', operationId: 'startSignIn', summary: 'Sign in with OpenID Connect', status: 302 },
    description:
      'For browsers: redirects to the provider. The query parameter `next` is the page to go to afterwards, a path under /console or /queues.',
    answer: 'Redirects to the provider.',
    errors: ['not_found'],
  });

/** Describes the end of a sign-in with OpenID Connect. */
export const DescribeFinishSignIn = () =>
  describe({
    ...{ tag: 'Sessions', operationId: 'finishSignIn', summary: 'End a sign-in', status: 200 },
    description:
      'The provider sends the browser here. Sets the cookie of the session and goes on to `next`, or to the login if the sign-in is refused.',
    answer: 'A page that goes on by itself.',
    errors: ['not_found'],
  });
