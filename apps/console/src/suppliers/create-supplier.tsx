import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { change } from '../api/client';
import type { NewSupplier, Supplier } from '../api/shapes';
import { Dialog } from '../design/dialog';
import { Failure, useNotify } from '../design/feedback';
import { Icon } from '../design/icon';
import { organisationsQuery } from '../organisations/organisation-queries';
import { MODE_LABELS } from './settings-form';

/** Creates a supplier with the settings that matter first; its page has all others. */
export function CreateSupplier() {
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState('');
  const [organisation, setOrganisation] = useState('');
  const [mode, setMode] = useState<Supplier['creation_mode']>('direct');
  const organisations = useQuery({ ...organisationsQuery, enabled: isOpen });
  const names = organisations.data?.items.map(({ name }) => name) ?? [];
  const client = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const create = useMutation({
    mutationFn: async (supplier: NewSupplier) => change<Supplier>('POST', '/suppliers', supplier),
    onSuccess: async (supplier) => {
      setOpen(false);
      notify(`Supplier ${supplier.code} was created.`);
      await client.invalidateQueries({ queryKey: ['suppliers'] });
      await navigate({ to: '/suppliers/$code/settings', params: { code: supplier.code } });
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    create.mutate({ code, organisation: organisation || (names[0] ?? ''), creation_mode: mode });
  };
  return (
    <>
      <Button
        onClick={() => {
          create.reset();
          setOpen(true);
        }}
        leftSection={<Icon name="plus" size={14} />}
      >
        Create supplier
      </Button>
      <Dialog
        title="Create a supplier"
        isOpen={isOpen}
        onClose={() => {
          setOpen(false);
        }}
      >
        <form onSubmit={submit} className="form">
          <TextInput
            label="Code"
            description="Suppliers send it with every account. It cannot be changed later."
            required
            withAsterisk={false}
            autoComplete="off"
            value={code}
            onChange={({ currentTarget }) => {
              setCode(currentTarget.value);
            }}
          />
          <NativeSelect
            label="Organisation"
            description="The tenant that owns the supplier and its API keys."
            data={names}
            value={organisation || names[0]}
            onChange={({ currentTarget }) => {
              setOrganisation(currentTarget.value);
            }}
          />
          <NativeSelect
            label="Creation of accounts"
            data={Object.entries(MODE_LABELS).map(([value, label]) => ({ value, label }))}
            value={mode}
            onChange={({ currentTarget }) => {
              setMode(currentTarget.value as Supplier['creation_mode']);
            }}
          />
          {create.error && <Failure error={create.error} />}
          <div className="dialog-actions">
            <Button
              variant="default"
              size="sm"
              onClick={() => {
                setOpen(false);
              }}
            >
              Cancel
            </Button>
            <Button type="submit" size="sm" loading={create.isPending}>
              Create
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
