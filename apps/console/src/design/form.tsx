import { Stack } from '@mantine/core';
import type { ReactNode, SyntheticEvent } from 'react';

/** The values of a form's named fields. A box that is not checked has none. */
export type Fields = Readonly<Record<string, string>>;

const fieldsOf = (form: HTMLFormElement): Fields =>
  Object.fromEntries(new FormData(form)) as Record<string, string>;

/** Handles an event of a form by the values of its fields. */
export const withFields =
  (handle: (fields: Fields, form: HTMLFormElement) => void) =>
  (event: SyntheticEvent<HTMLFormElement>): void => {
    if (event.type === 'submit') event.preventDefault();
    handle(fieldsOf(event.currentTarget), event.currentTarget);
  };

/** A form whose fields are below each other. The browser keeps their values until it is submitted. */
export function Form(props: {
  onSubmit: (fields: Fields, form: HTMLFormElement) => void;
  onChange?: (fields: Fields) => void;
  children: ReactNode;
}) {
  const { onSubmit, onChange, children } = props;
  return (
    <form onSubmit={withFields(onSubmit)} {...(onChange ? { onChange: withFields(onChange) } : {})}>
      <Stack gap="sm">{children}</Stack>
    </form>
  );
}
