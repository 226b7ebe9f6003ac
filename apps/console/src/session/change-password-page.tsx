import { getRouteApi } from '@tanstack/react-router';
import logo from '../layout/portage.svg';
import { useGoToNextPage } from './next-page';
import { PasswordForm } from './password-form';

const route = getRouteApi('/change-password');

/** Asks for a password of the operator's own instead of the one-time password. */
export function ChangePasswordPage() {
  const { next } = route.useSearch();
  const goTo = useGoToNextPage();
  return (
    <main className="door">
      <div className="door-card">
        <div className="door-head">
          <img src={logo} alt="" width={44} height={44} />
          <h1>Choose a password</h1>
          <p className="muted">You signed in with a one-time password. Replace it to go on.</p>
        </div>
        <PasswordForm
          currentLabel="One-time password"
          onDone={() => {
            goTo(next);
          }}
        />
      </div>
    </main>
  );
}
