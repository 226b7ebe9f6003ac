import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Clock, OctagonX, ShieldCheck } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { describeError, hasCode } from '../api/api-error';
import { ColorSchemeSwitch } from '../layout/color-scheme-switch';
import logo from '../layout/portage.svg';
import { useGoToNextPage } from './next-page';
import { signIn, signInMethodsQuery } from './session';

const route = getRouteApi('/login');

/** Signs an operator in: name and password, the code of an authenticator if the operator has one, or OpenID Connect. */
export function LoginPage() {
  const { next, reason, error } = route.useSearch();
  const methods = useQuery(signInMethodsQuery);
  const navigate = useNavigate();
  const goTo = useGoToNextPage();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const login = useMutation({
    mutationFn: signIn,
    onSuccess: async ({ operator }) => {
      if (operator.must_change_password) await navigate({ to: '/change-password', search: { next } });
      else goTo(next);
    },
    onError: (error) => {
      if (hasCode(error, 'totp_required')) setNeedsCode(true);
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    login.mutate({ name, password, ...(needsCode ? { totp: totp.replaceAll(' ', '') } : {}) });
  };
  const isCodeMissing = hasCode(login.error, 'totp_required') && totp === '';
  const openId = methods.data?.openid_connect;

  return (
    <main className="door">
      <div className="door-card">
        <div className="door-head">
          <img src={logo} alt="" width={44} height={44} />
          <h1>Sign in to Portage</h1>
          <p className="muted">The operator console of this installation.</p>
        </div>
        {reason === 'expired' && !login.error && (
          <p className="note tone-warn" role="status">
            <Clock size={16} /> Your session has ended. Sign in to go on where you were.
          </p>
        )}
        {error === 'openid-connect' && !login.error && (
          <p className="note tone-bad" role="alert">
            <OctagonX size={16} /> Portage did not accept the sign-in of your provider. An operator needs a
            role there and a name that no other operator has.
          </p>
        )}
        {login.error && !isCodeMissing && (
          <p className="note tone-bad" role="alert">
            <OctagonX size={16} /> {describeError(login.error).detail}
          </p>
        )}
        <form onSubmit={submit}>
          {methods.data?.password !== false && (
            <>
              <TextInput
                label="Name"
                name="username"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                required
                withAsterisk={false}
                value={name}
                onChange={({ currentTarget }) => {
                  setName(currentTarget.value);
                }}
              />
              <PasswordInput
                label="Password"
                name="password"
                autoComplete="current-password"
                required
                withAsterisk={false}
                visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
                value={password}
                onChange={({ currentTarget }) => {
                  setPassword(currentTarget.value);
                }}
              />
              {needsCode && (
                <TextInput
                  label="Code of your authenticator"
                  description="Six digits, from the app that you enrolled."
                  name="totp"
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  data-autofocus
                  ref={(input: HTMLInputElement | null) => {
                    input?.focus();
                  }}
                  required
                  withAsterisk={false}
                  value={totp}
                  onChange={({ currentTarget }) => {
                    setTotp(currentTarget.value);
                  }}
                />
              )}
              <Button type="submit" size="sm" fullWidth loading={login.isPending}>
                Sign in
              </Button>
            </>
          )}
          {openId && (
            <Button
              component="a"
              href={`${openId.start_url}?next=${encodeURIComponent(next ?? '/console/')}`}
              variant="default"
              size="sm"
              fullWidth
              leftSection={<ShieldCheck size={16} />}
            >
              Sign in with {openId.name}
            </Button>
          )}
        </form>
      </div>
      <ColorSchemeSwitch />
    </main>
  );
}
