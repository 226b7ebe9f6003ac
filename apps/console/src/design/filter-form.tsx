import { Button, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { TIME_ZONE } from './format';
import { toIso, toLocal } from './local-time';

/** The fields of a form of filters, by the names of the filters. */
export interface FilterFields<Name extends string> {
  valueOf: (name: Name) => string;
  set: (name: Name, value: string | undefined) => void;
  text: (name: Name, label: string, placeholder: string) => ReactNode;
  /** A moment in the time zone of the browser, which the form names once. */
  moment: (name: Name, label: string) => ReactNode;
}

/** The filters of a list. They take effect together, so that a list is not read for each key. */
export function FilterForm<Filters extends object>(props: {
  label: string;
  submitLabel: string;
  filters: Filters;
  isFiltered: boolean;
  onChange: (filters: Filters) => void;
  children: (fields: FilterFields<keyof Filters & string>) => ReactNode;
}) {
  type Name = keyof Filters & string;
  const [draft, setDraft] = useState(props.filters);
  const zoneId = useId();
  const valueOf = (name: Name) => (draft[name] as string | undefined) ?? '';
  const set = (name: Name, value: string | undefined) => {
    setDraft((all) => ({ ...all, [name]: value === '' ? undefined : value }));
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    props.onChange(draft);
  };
  const text = (name: Name, label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      value={valueOf(name)}
      onChange={({ currentTarget }) => {
        set(name, currentTarget.value.trim());
      }}
    />
  );
  const moment = (name: Name, label: string) => (
    <TextInput
      type="datetime-local"
      label={label}
      aria-describedby={zoneId}
      value={toLocal(valueOf(name))}
      onChange={({ currentTarget }) => {
        set(name, toIso(currentTarget.value));
      }}
    />
  );
  return (
    <form className="filters" onSubmit={submit} role="search" aria-label={props.label}>
      {props.children({ valueOf, set, text, moment })}
      <div className="filter-actions">
        <Button type="submit" size="sm" leftSection={<Search size={14} />}>
          {props.submitLabel}
        </Button>
        {props.isFiltered && (
          <Button
            variant="default"
            size="sm"
            onClick={() => {
              setDraft({} as Filters);
              props.onChange({} as Filters);
            }}
          >
            Clear
          </Button>
        )}
        <span id={zoneId} className="muted small">
          Times in {TIME_ZONE}
        </span>
      </div>
    </form>
  );
}
