import { NativeSelect } from '@mantine/core';
import { FilterForm } from '../design/filter-form';
import { lookOf, PROCESS_STATUS_NAMES } from '../design/state';
import { FILTER_NAMES, type ProcessFilters } from './process-queries';

const STATUS_OPTIONS = [
  { value: '', label: 'All states' },
  ...PROCESS_STATUS_NAMES.map((value) => ({ value, label: lookOf(value).label })),
];

/** The filters of the list of processes. */
export function ProcessFilterForm(props: {
  filters: ProcessFilters;
  onChange: (filters: ProcessFilters) => void;
}) {
  return (
    <FilterForm
      label="Filter processes"
      submitLabel="Show"
      isFiltered={FILTER_NAMES.some((name) => props.filters[name] !== undefined)}
      {...props}
    >
      {({ valueOf, set, text, moment }) => (
        <>
          <NativeSelect
            label="State"
            data={STATUS_OPTIONS}
            value={valueOf('status')}
            onChange={({ currentTarget }) => {
              set('status', currentTarget.value);
            }}
          />
          {text('text', 'Account number begins with', 'A-1002')}
          {text('error_code', 'Error code', 'any')}
          {text('submission', 'Submission', 'id')}
          {moment('from', 'Received from')}
          {moment('to', 'Received before')}
        </>
      )}
    </FilterForm>
  );
}
