import { getRouteApi } from '@tanstack/react-router';
import { Door } from './door';
import { useGoToNextPage } from './next-page';
import { PasswordForm } from './password-form';

const route = getRouteApi('/change-password');

/** Asks for a password of the operator's own instead of the one-time password. */
export function ChangePasswordPage() {
  const { next } = route.useSearch();
  const goTo = useGoToNextPage();
  return (
    <Door title="Choose a password" detail="You signed in with a one-time password. Replace it to go on.">
      <PasswordForm
        currentLabel="One-time password"
        onDone={() => {
          goTo(next);
        }}
      />
    </Door>
  );
}
