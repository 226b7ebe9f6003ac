import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { Icon } from '../design/icon';
import { TIME_ZONE } from '../design/format';
import { toIso, toLocal } from '../design/local-time';
import { lookOf, PROCESS_STATUS_NAMES } from '../design/state';
import { FILTER_NAMES, type ProcessFilters } from './process-queries';

const STATUS_OPTIONS = [
  { value: '', label: 'All states' },
  ...PROCESS_STATUS_NAMES.map((value) => ({ value, label: lookOf(value).label })),
];

/** The filters of the list. They take effect together, so that a list is not read for each key. */
export function ProcessFilterForm(props: {
  filters: ProcessFilters;
  onChange: (filters: ProcessFilters) => void;
}) {
  const [draft, setDraft] = useState(props.filters);
  const set = (name: keyof ProcessFilters, value: string | undefined) => {
    setDraft((all) => ({ ...all, [name]: value === '' ? undefined : value }));
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    props.onChange(draft);
  };
  const isFiltered = FILTER_NAMES.some((name) => props.filters[name] !== undefined);
  const text = (name: 'text' | 'error_code' | 'submission', label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      value={draft[name] ?? ''}
      onChange={({ currentTarget }) => {
        set(name, currentTarget.value.trim());
      }}
    />
  );
  const moment = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="datetime-local"
      label={label}
      value={toLocal(draft[name])}
      onChange={({ currentTarget }) => {
        set(name, toIso(currentTarget.value));
      }}
    />
  );
  return (
    <form className="filters" onSubmit={submit} role="search" aria-label="Filter processes">
      <NativeSelect
        label="State"
        data={STATUS_OPTIONS}
        value={draft.status ?? ''}
        onChange={({ currentTarget }) => {
          set('status', currentTarget.value);
        }}
      />
      {text('text', 'Account number begins with', 'A-1002')}
      {text('error_code', 'Error code', 'any')}
      {text('submission', 'Submission', 'id')}
      {moment('from', `Received from (${TIME_ZONE})`)}
      {moment('to', `Received before (${TIME_ZONE})`)}
      <div className="filter-actions">
        <Button type="submit" size="sm" leftSection={<Icon name="search" size={14} />}>
          Show
        </Button>
        {isFiltered && (
          <Button
            variant="default"
            size="sm"
            onClick={() => {
              setDraft({});
              props.onChange({});
            }}
          >
            Clear
          </Button>
        )}
      </div>
    </form>
  );
}
