import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useId } from 'react';
import { type Fields, withFields } from './form';
import { TIME_ZONE } from './format';
import { minWidth } from './layout';
import { toIso, toLocal } from './local-time';

/** A filter of a list: one of several values, a moment in the time zone of the browser, or text. */
export interface FilterField {
  name: string;
  label: string;
  options?: { value: string; label: string }[];
  isMoment?: boolean;
  placeholder?: string;
}

/**
 * The filters of a list. They take effect together, so that a list is not read for each key. Give it the filters as its
 * `key`, so that it shows those of another address.
 */
export function FilterForm(props: {
  label: string;
  submitLabel: string;
  fields: readonly FilterField[];
  filters: Readonly<Record<string, string | undefined>>;
  onChange: (filters: Record<string, string>) => void;
}) {
  const { fields, filters, onChange } = props;
  const zoneId = useId();
  const submit = (given: Fields) => {
    const values = fields.flatMap(({ name, isMoment }) => {
      const text = given[name]?.trim() ?? '';
      const value = isMoment ? toIso(text) : text;
      return value ? [[name, value] as const] : [];
    });
    onChange(Object.fromEntries(values));
  };
  return (
    <form
      className="columns filters"
      style={minWidth('12.5rem')}
      onSubmit={withFields(submit)}
      role="search"
      aria-label={props.label}
    >
      {fields.map(({ name, label, options, isMoment, placeholder }) => {
        const value = filters[name] ?? '';
        if (options)
          return <NativeSelect key={name} name={name} label={label} data={options} defaultValue={value} />;
        const moment = { type: 'datetime-local', 'aria-describedby': zoneId, defaultValue: toLocal(value) };
        return (
          <TextInput
            key={name}
            name={name}
            label={label}
            placeholder={placeholder}
            defaultValue={value}
            {...(isMoment ? moment : {})}
          />
        );
      })}
      <Group className="filter-actions" gap="xs">
        <Button type="submit" size="sm" leftSection={<Search size={14} />}>
          {props.submitLabel}
        </Button>
        {Object.values(filters).some((value) => value !== undefined) && (
          <Button
            variant="default"
            size="sm"
            onClick={() => {
              onChange({});
            }}
          >
            Clear
          </Button>
        )}
        <span id={zoneId} className="muted small">
          Times in {TIME_ZONE}
        </span>
      </Group>
    </form>
  );
}
