import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { change, path } from '../api/client';
import { queryClient } from '../api/query-client';
import type { SupplierSettingsChange, SupplierSettingsView } from '../api/shapes';
import { useNotify } from '../design/feedback';
import { humanise } from '../design/format';
import { Facts, Panel } from '../design/layout';
import { Moment } from '../design/time';
import { useHasRole } from '../session/session';
import { SetRule } from '../account-rules/set-rule';
import { SettingsForm, settingsFacts } from './settings-form';
import { supplierQuery } from './supplier-queries';

const route = getRouteApi('/signed-in/suppliers/$code');

/** The settings of a supplier: a form for administrators, a list for everyone else. */
export function SupplierSettingsPage() {
  const { code } = route.useParams();
  const { data } = useQuery(supplierQuery(code));
  const notify = useNotify();
  const isAdmin = useHasRole('admin');
  const save = useMutation({
    mutationFn: async (changes: SupplierSettingsChange) =>
      change<SupplierSettingsView>('PATCH', path('suppliers', code), changes),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['supplier', code] });
      notify('The settings were saved.');
    },
  });
  if (!data) return null;
  const { settings } = data;
  const rules = Object.entries(settings.rule_settings);
  return (
    <>
      <Panel title="Settings">
        {isAdmin ? (
          <SettingsForm
            key={JSON.stringify(settings)}
            supplier={settings}
            isSaving={save.isPending}
            error={save.error}
            onSave={(changes) => {
              save.mutate(changes);
            }}
          />
        ) : (
          <Facts facts={settingsFacts(settings)} />
        )}
      </Panel>
      <Panel
        title="Account rules"
        actions={
          isAdmin && (
            <SetRule
              run={async (name, value) => save.mutateAsync({ rule_settings: { [name]: value } })}
              subject={code}
            />
          )
        }
      >
        {rules.length === 0 ? (
          <p className="muted">All settings of rules have their defaults.</p>
        ) : (
          <Facts facts={rules.map(([name, value]) => [humanise(name), String(value)] as const)} />
        )}
      </Panel>
      <Panel title="History">
        <Facts
          facts={[
            ['Created', <Moment key="created" at={settings.created_at} />],
            ['Last changed', <Moment key="modified" at={settings.modified_at} />],
          ]}
        />
      </Panel>
    </>
  );
}
