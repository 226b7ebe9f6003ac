import { ActionIcon, Group, type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react';

const CHOICES: readonly (readonly [MantineColorScheme, LucideIcon, string])[] = [
  ['light', Sun, 'Light'],
  ['dark', Moon, 'Dark'],
  ['auto', Monitor, 'As the system'],
];

/** Light, dark, or as the system. The choice is kept in this browser. */
export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group gap={0} role="group" aria-label="Colour scheme">
      {CHOICES.map(([scheme, Icon, label]) => (
        <ActionIcon
          key={scheme}
          variant={colorScheme === scheme ? 'filled' : 'default'}
          aria-pressed={colorScheme === scheme}
          aria-label={label}
          title={label}
          onClick={() => {
            setColorScheme(scheme);
          }}
        >
          <Icon size={14} />
        </ActionIcon>
      ))}
    </Group>
  );
}
