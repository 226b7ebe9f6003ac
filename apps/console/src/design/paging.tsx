import { Button, Group } from '@mantine/core';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';

/** Goes through the pages of a list by its cursors; the browser's back button goes back. */
export function Paging(props: {
  cursor: string | undefined;
  next: string | null;
  to: (cursor: string | undefined) => NavigateOptions;
  nextLabel?: string;
}) {
  const navigate = useNavigate();
  const { cursor, next } = props;
  if (cursor === undefined && next === null) return null;
  return (
    <Group component="nav" aria-label="Pages" justify="flex-end" gap="xs" p="sm">
      <Button
        variant="default"
        disabled={cursor === undefined}
        onClick={() => void navigate(props.to(undefined))}
        leftSection={<ChevronLeft size={14} />}
      >
        First page
      </Button>
      <Button
        variant="default"
        disabled={next === null}
        onClick={() => void navigate(props.to(next ?? undefined))}
        rightSection={<ChevronRight size={14} />}
      >
        {props.nextLabel ?? 'Next page'}
      </Button>
    </Group>
  );
}
