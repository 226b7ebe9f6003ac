import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { Icon, type IconName } from '../design/icon';

const CHOICES: readonly (readonly [MantineColorScheme, IconName, string])[] = [
  ['light', 'sun', 'Light'],
  ['dark', 'moon', 'Dark'],
  ['auto', 'monitor', 'As the system'],
];

/** Light, dark, or as the system. The choice is kept in this browser. */
export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className="scheme-switch" role="group" aria-label="Colour scheme">
      {CHOICES.map(([scheme, icon, label]) => (
        <button
          key={scheme}
          type="button"
          aria-pressed={colorScheme === scheme}
          aria-label={label}
          title={label}
          onClick={() => {
            setColorScheme(scheme);
          }}
        >
          <Icon name={icon} size={14} />
        </button>
      ))}
    </div>
  );
}
